package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers as they are on the wire, each cut at every byte; the traces say what is expected. */
class ProxyProtocolTest {

  /** One header of {@code proxy.traces}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Trace(String name, byte[] bytes, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Trace> traces() throws IOException {
    try (InputStream in = ProxyProtocolTest.class.getResourceAsStream("proxy.traces")) {
      List<Trace> traces = new ArrayList<>();
      String name = null;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("## ")) {
          name = line.substring(3);
        } else if (line.startsWith("text ")) {
          bytes.writeBytes(line.substring(5).getBytes(StandardCharsets.UTF_8));
        } else if (line.startsWith("line ")) {
          bytes.writeBytes((line.substring(5) + "\r\n").getBytes(StandardCharsets.UTF_8));
        } else if (line.startsWith("hex ")) {
          bytes.writeBytes(HexFormat.of().parseHex(line.substring(4).replace(" ", "")));
        } else if (line.startsWith("zero ")) {
          bytes.writeBytes(new byte[Integer.parseInt(line.substring(5))]);
        } else if (line.startsWith("= ")) {
          traces.add(new Trace(name, bytes.toByteArray(), line.substring(2)));
          bytes.reset();
        }
      }
      return traces;
    }
  }

  private static String outcome(byte[] bytes, int length) {
    try {
      ProxyHeader header = ProxyProtocol.parse(bytes, length);
      if (header == null) {
        return "more";
      }
      String rest = " rest " + (length - header.length());
      return header.source() == null
          ? "socket" + rest
          : text(header.source()) + " -> " + text(header.destination()) + rest;
    } catch (ProxyHeaderException e) {
      return "refused: " + e.getMessage();
    }
  }

  private static String text(SocketAddress address) {
    return address.toString().isEmpty() ? "unnamed" : address.toString();
  }

  @ParameterizedTest
  @MethodSource("traces")
  void headersMeanWhatTheTraceSays(Trace trace) {
    assertEquals(trace.expected, outcome(trace.bytes, trace.bytes.length));
  }

  // Whatever is known of a part stays true of the whole: more bytes never turn a refusal or a
  // header into something else.
  @ParameterizedTest
  @MethodSource("traces")
  void partsAreAskedForMoreUntilTheEnd(Trace trace) {
    String whole = trace.expected.replaceFirst(" rest \\d+", "");
    for (int cut = 0; cut < trace.bytes.length; cut++) {
      String part = outcome(trace.bytes, cut).replaceFirst(" rest \\d+", "");
      assertTrue(part.equals("more") || part.equals(whole), "cut at " + cut + ": " + part);
    }
  }

  @Test
  void aHeaderWithoutAnEndIsRefusedInBounds() {
    byte[] endless = new byte[ProxyHeaderV1.MAX_BYTES];
    Arrays.fill(endless, (byte) 'x');
    System.arraycopy("PROXY TCP4 ".getBytes(StandardCharsets.US_ASCII), 0, endless, 0, 11);
    assertEquals("more", outcome(endless, endless.length - 1));
    assertEquals(
        "refused: its PROXY line is longer than 107 bytes", outcome(endless, endless.length));
  }

  @Test
  void exceptionsHaveNoStackTrace() {
    ProxyHeaderException e =
        assertThrows(
            ProxyHeaderException.class,
            () -> ProxyProtocol.parse("GET /".getBytes(StandardCharsets.US_ASCII), 5));
    assertArrayEquals(new StackTraceElement[0], e.getStackTrace());
  }
}
