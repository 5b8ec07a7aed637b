package dev.peregrine.conformance;

import dev.peregrine.wire.Headers;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** What came back on one stream. Single-threaded. */
final class Reply {

  private final StringBuilder frames = new StringBuilder();
  private final List<Headers> sections = new ArrayList<>();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private int resetCode = -1;
  private boolean ended;

  void add(Frame frame, Headers section) {
    frames.append(frames.isEmpty() ? "" : " ").append(frame.name());
    if (frame.is(Frame.DATA)) {
      data.writeBytes(frame.content());
    } else if (frame.is(Frame.RST_STREAM)) {
      resetCode = frame.int32(0);
    }
    if (section != null) {
      sections.add(section);
    }
    ended |= frame.is(Frame.RST_STREAM) || frame.name().endsWith("+ES");
  }

  /** Whether no more will come. */
  boolean ended() {
    return ended;
  }

  /** The names of the frames, in order. DATA frames next to each other count as one. */
  String frames() {
    return frames.toString().replaceAll("DATA( DATA)+", "DATA");
  }

  /** The code of RST_STREAM, or −1. */
  int resetCode() {
    return resetCode;
  }

  /** The value of a field, or {@code null}; the last one where several sections have it. */
  String field(String name) {
    String value = null;
    for (Headers section : sections) {
      String found = section.get(name);
      value = found != null ? found : value;
    }
    return value;
  }

  /** All values of a field, in order. */
  List<String> fields(String name) {
    List<String> values = new ArrayList<>();
    for (Headers section : sections) {
      for (int i = 0; i < section.size(); i++) {
        if (section.name(i).toString().equals(name)) {
          values.add(section.value(i));
        }
      }
    }
    return values;
  }

  /** How often a field occurs, in headers and trailers together. */
  int count(String name) {
    return fields(name).size();
  }

  /** {@code grpc-status}, or −1 when there is none. */
  int status() {
    String status = field("grpc-status");
    return status == null ? -1 : Integer.parseInt(status);
  }

  byte[] data() {
    return data.toByteArray();
  }

  @Override
  public String toString() {
    return frames + (resetCode >= 0 ? " code " + resetCode : "") + " " + sections;
  }
}
