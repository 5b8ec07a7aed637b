package dev.peregrine.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/** Version 1 of the PROXY protocol: one line of text (section 2.1). Pure functions; any thread. */
final class ProxyHeaderV1 {

  /** The longest line, its end included (section 2.1). */
  static final int MAX_BYTES = 107;

  private static final int IPV4_BYTES = 4;
  private static final int MAX_PORT = 65_535;

  private ProxyHeaderV1() {}

  /** Reads a line which begins as it must; {@code null} if more bytes are needed. */
  static ProxyHeader parse(byte[] bytes, int length) throws ProxyHeaderException {
    int end = endOfLine(bytes, Math.min(length, MAX_BYTES));
    if (end < 0) {
      if (length >= MAX_BYTES) {
        throw new ProxyHeaderException("its PROXY line is longer than " + MAX_BYTES + " bytes");
      }
      return null;
    }
    String line = new String(bytes, 0, end - 2, StandardCharsets.ISO_8859_1);
    String[] words = line.split(" ", -1);
    // Section 2.1: whatever follows UNKNOWN is to be ignored.
    if (words[1].equals("UNKNOWN")) {
      return ProxyHeader.withoutAddresses(end);
    }
    boolean ipv4 = words[1].equals("TCP4");
    if (words.length != 6 || !(ipv4 || words[1].equals("TCP6"))) {
      throw malformed();
    }
    return ProxyHeader.of(
        new InetSocketAddress(address(words[2], ipv4), port(words[4])),
        new InetSocketAddress(address(words[3], ipv4), port(words[5])),
        end);
  }

  private static int endOfLine(byte[] bytes, int length) {
    for (int i = 1; i < length; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  private static InetAddress address(String text, boolean ipv4) throws ProxyHeaderException {
    try {
      return ipv4 ? InetAddress.getByAddress(ipv4(text)) : ipv6(text);
    } catch (UnknownHostException e) {
      throw malformed();
    }
  }

  private static byte[] ipv4(String text) throws ProxyHeaderException {
    String[] parts = text.split("\\.", -1);
    if (parts.length != IPV4_BYTES) {
      throw malformed();
    }
    byte[] address = new byte[IPV4_BYTES];
    for (int i = 0; i < IPV4_BYTES; i++) {
      address[i] = (byte) number(parts[i], 255);
    }
    return address;
  }

  private static InetAddress ipv6(String text) throws ProxyHeaderException, UnknownHostException {
    boolean colon = false;
    if (text.startsWith(".")) {
      throw malformed(); // the JDK would take it for a name and look it up
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      colon |= c == ':';
      if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
        throw malformed();
      }
    }
    if (!colon) {
      throw malformed();
    }
    // With a colon in it and a digit or colon first, no text is looked up as a name.
    return InetAddress.getByName(text);
  }

  private static int port(String text) throws ProxyHeaderException {
    return number(text, MAX_PORT);
  }

  /** Section 2.1: decimal digits, without leading zeros. */
  private static int number(String text, int max) throws ProxyHeaderException {
    if (text.isEmpty() || text.length() > 5 || (text.length() > 1 && text.charAt(0) == '0')) {
      throw malformed();
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw malformed();
      }
      value = value * 10 + (c - '0');
    }
    if (value > max) {
      throw malformed();
    }
    return value;
  }

  private static ProxyHeaderException malformed() {
    return new ProxyHeaderException("its PROXY line is malformed");
  }
}
