package dev.peregrine.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Addresses and networks, e.g. {@code 10.0.0.0/8} and {@code fd00::1}. Immutable, any thread. */
final class Networks {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Network(byte[] address, int prefixBits) {

    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      int whole = prefixBits / 8;
      for (int i = 0; i < whole; i++) {
        if (other[i] != address[i]) {
          return false;
        }
      }
      int rest = prefixBits % 8;
      return rest == 0 || (other[whole] ^ address[whole]) >> (8 - rest) == 0;
    }
  }

  private final List<Network> networks;

  private Networks(List<Network> networks) {
    this.networks = networks;
  }

  /**
   * Reads networks.
   *
   * @throws IllegalArgumentException naming the text that is neither an address nor one with the
   *     length of a prefix; names of hosts are not looked up
   */
  static Networks of(List<String> texts) {
    List<Network> made = new ArrayList<>();
    for (String text : texts) {
      made.add(network(text));
    }
    return new Networks(List.copyOf(made));
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    // What has neither colons nor digits and dots alone would be looked up as a name.
    if (!host.contains(":") && !host.matches("\\d{1,3}(\\.\\d{1,3}){3}")) {
      throw malformed(text);
    }
    try {
      byte[] address = InetAddress.getByName(host).getAddress();
      int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1));
      if (bits < 0 || bits > address.length * 8) {
        throw malformed(text);
      }
      return new Network(address, bits);
    } catch (UnknownHostException | NumberFormatException e) {
      throw malformed(text);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is no address or network, such as 10.0.0.0/8, 192.0.2.7 or fd00::/8");
  }

  /**
   * Whether an address is in one of the networks. Peers of Unix domain sockets always are: the
   * permissions of the file say who may connect.
   */
  boolean contains(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress) {
      return true;
    }
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      byte[] bytes = inet.getAddress().getAddress();
      for (int i = 0; i < networks.size(); i++) {
        if (networks.get(i).contains(bytes)) {
          return true;
        }
      }
    }
    return false;
  }
}
