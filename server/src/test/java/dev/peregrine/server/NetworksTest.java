package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, ::1, false",
    "192.0.2.128/25, 192.0.2.128, true",
    "192.0.2.128/25, 192.0.2.127, false",
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.6, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, fd00::1, false",
    "::/0, fd00::1, true",
    "fd00::/8, fdff::1, true",
    "fd00::/7, fc00::1, true",
    "fd00::/8, fe00::1, false",
    "::1, ::1, true",
    "::1, ::2, false",
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
  })
  void contains(String network, String address, boolean expected) throws Exception {
    assertEquals(
        expected,
        Networks.of(List.of("198.51.100.1", network))
            .contains(new InetSocketAddress(InetAddress.getByName(address), 1)));
  }

  @Test
  void peersOfUnixDomainSocketsAreTrustedByTheFile() {
    assertTrue(Networks.of(List.of()).contains(UnixDomainSocketAddress.of("")));
    assertFalse(
        Networks.of(List.of())
            .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "::1/129",
        "10.0/8",
        "256.1.1.1",
        "beef",
        "10.0.0.0/8/8",
        "[::1]x"
      })
  void otherTextsAreRefusedByName(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Networks.of(List.of(text)));
    assertTrue(e.getMessage().startsWith("\"" + text + "\" is no address or network"), e::toString);
  }
}
