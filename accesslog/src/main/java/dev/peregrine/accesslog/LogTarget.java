package dev.peregrine.accesslog;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where lines go. Writer thread. */
interface LogTarget {

  /** Opens it, again where that was done before. */
  OutputStream open() throws IOException;

  /** Whether it is closed by who opened it. */
  boolean owned();

  /** A file, which is appended to. */
  record File(Path path) implements LogTarget {
    @Override
    public OutputStream open() throws IOException {
      return Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public boolean owned() {
      return true;
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** A stream of the user's, which stays open. */
  record Stream(OutputStream stream) implements LogTarget {
    @Override
    public OutputStream open() {
      return stream;
    }

    @Override
    public boolean owned() {
      return false;
    }

    @Override
    public String toString() {
      return "its stream";
    }
  }
}
