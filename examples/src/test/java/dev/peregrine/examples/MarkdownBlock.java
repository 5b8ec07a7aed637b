package dev.peregrine.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Any thread. A fenced block of the documentation.
 *
 * @param where the document and the line, for messages
 * @param language e.g. {@code java}
 * @param file the file it shows, empty if it shows only a part of one
 * @param text its lines
 */
record MarkdownBlock(String where, String language, String file, String text) {

  private static final String FENCE = "```";
  private static final Path ROOT = Path.of("..");

  /** The blocks of README.md and docs/*.md in a language. */
  static List<MarkdownBlock> all(String language) throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    List<MarkdownBlock> blocks = new ArrayList<>();
    for (Path document : documents) {
      blocks.addAll(of(document));
    }
    return blocks.stream().filter(block -> block.language().equals(language)).toList();
  }

  private static List<MarkdownBlock> of(Path document) throws IOException {
    List<MarkdownBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(document);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        int start = i + 1;
        i = start;
        while (!lines.get(i).equals(FENCE)) {
          i++;
        }
        String info = lines.get(start - 1).substring(FENCE.length());
        int space = info.indexOf(' ');
        blocks.add(
            new MarkdownBlock(
                document.getFileName() + ":" + start,
                space < 0 ? info : info.substring(0, space),
                space < 0 ? "" : info.substring(space + 1),
                String.join("\n", lines.subList(start, i)) + "\n"));
      }
    }
    return blocks;
  }
}
