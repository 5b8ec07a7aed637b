package dev.peregrine.conformance;

import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.ServerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Serves the files of a folder, as they are when the server starts. Main thread. */
final class Folder {

  private Folder() {}

  /** Adds an endpoint for each file directly in a folder, below a path that ends with a slash. */
  static void addTo(ServerBuilder server, String path, Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> regular = files.filter(Files::isRegularFile).toList();
      for (Path file : regular) {
        String name = file.getFileName().toString();
        HttpResponse response = HttpResponse.of(200, contentType(name), Files.readAllBytes(file));
        server.http(path + name, request -> response);
      }
    }
  }

  private static String contentType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      default -> "application/octet-stream";
    };
  }
}
