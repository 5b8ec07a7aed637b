package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the whole table of states and events against the checked-in one. */
class StreamStateTest {

  private static final Path TABLE = Path.of("src/test/resources/stream-states.txt");
  private static final int STREAM_ID = 1;

  private interface Event {
    StreamState apply(StreamState state) throws StreamError, ConnectionError;
  }

  @Test
  void everyEventInEveryStateGoesWhereTheTableSays() throws IOException {
    List<String> lines = new ArrayList<>();
    for (StreamState state : StreamState.values()) {
      row(lines, state, "recvHeaders", s -> s.recvHeaders(STREAM_ID, false));
      row(lines, state, "recvHeaders end", s -> s.recvHeaders(STREAM_ID, true));
      row(lines, state, "recvData", s -> s.recvData(STREAM_ID, false));
      row(lines, state, "recvData end", s -> s.recvData(STREAM_ID, true));
      row(lines, state, "recvReset", StreamState::recvReset);
      row(lines, state, "recvWindowUpdate", StreamState::recvWindowUpdate);
      row(lines, state, "sendHeaders", s -> s.sendHeaders(false));
      row(lines, state, "sendHeaders end", s -> s.sendHeaders(true));
      row(lines, state, "sendData", s -> s.sendData(false));
      row(lines, state, "sendData end", s -> s.sendData(true));
      row(lines, state, "sendReset", StreamState::sendReset);
      lines.add("");
    }
    lines.remove(lines.size() - 1);
    List<String> golden =
        Files.readAllLines(TABLE).stream().filter(line -> !line.startsWith("#")).toList();
    assertEquals(String.join("\n", golden), String.join("\n", lines));
  }

  private static void row(List<String> lines, StreamState state, String name, Event event) {
    String result;
    try {
      result = event.apply(state).toString();
    } catch (StreamError e) {
      result = "stream error " + e.code();
    } catch (ConnectionError e) {
      result = "connection error " + e.code();
    } catch (IllegalStateException e) {
      result = "misuse";
    }
    lines.add(String.format("%-19s%-18s%s", state, name, result));
  }
}
