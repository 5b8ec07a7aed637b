package dev.peregrine.transcoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.library.Library;
import dev.peregrine.server.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/transcoding.md is true: its files are the ones compiled here, its commands are run. */
class GuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "transcoding.md");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String PROMPT = "$ ";

  private static List<String> blocks(String info) throws IOException {
    Pattern fence =
        Pattern.compile(
            "^```" + Pattern.quote(info) + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    return fence.matcher(Files.readString(GUIDE)).results().map(found -> found.group(1)).toList();
  }

  @Test
  void theFilesOfTheGuideAreTheOnesCompiledHere() throws IOException {
    assertEquals(
        List.of(Files.readString(Path.of("src/test/proto/library/library.proto"))),
        blocks("proto src/main/proto/library.proto"));
    assertEquals(
        List.of(Files.readString(Path.of("src/test/java/com/example/library/Library.java"))),
        blocks("java src/main/java/com/example/library/Library.java"));
  }

  @Test
  void theCommandsOfTheGuidePrintWhatItSays() throws Exception {
    try (Server server =
        Server.builder()
            .port(0)
            .onTerm(false)
            .grace(Duration.ofSeconds(5))
            .add(new Library())
            .httpMapping(new Transcoding())
            .start()) {
      List<String> said = blocks("console");
      assertTrue(said.size() > 1);
      for (String block : said) {
        assertEquals(block, run(block, server.port()));
      }
    }
  }

  /** The block as a terminal would show it. */
  private static String run(String block, int port) throws Exception {
    StringBuilder shown = new StringBuilder();
    for (String line : block.split("\n", -1)) {
      if (line.startsWith(PROMPT)) {
        String output = curl(line.substring(PROMPT.length()), port);
        shown.append(line).append('\n').append(output).append(output.endsWith("\n") ? "" : "\n");
      }
    }
    return shown.toString();
  }

  private static String curl(String command, int port) throws Exception {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    HttpRequest.Builder request = HttpRequest.newBuilder().timeout(Duration.ofSeconds(20));
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case "-H" -> {
          String[] field = words.get(++i).split(": ", 2);
          request.header(field[0], field[1]);
        }
        case "-d" -> request.POST(HttpRequest.BodyPublishers.ofString(words.get(++i)));
        default -> request.uri(URI.create(words.get(i).replace(":8080", ":" + port)));
      }
    }
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
