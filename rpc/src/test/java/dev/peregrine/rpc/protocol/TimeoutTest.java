package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of grpc-timeout; what a call makes of them is in RequestRefusalTest. */
class TimeoutTest {

  @ParameterizedTest
  @CsvSource({
    "0n, 0",
    "0H, 0",
    "1n, 1",
    "1u, 1000",
    "1m, 1000000",
    "1S, 1000000000",
    "1M, 60000000000",
    "1H, 3600000000000",
    "00000007S, 7000000000",
    "99999999n, 99999999",
    "99999999u, 99999999000",
    "99999999m, 99999999000000",
    "99999999S, 99999999000000000",
    "99999999M, 5999999940000000000",
    "2562047H, 9223369200000000000",
    "2562048H, 9223372036854775807",
    "99999999H, 9223372036854775807",
  })
  void isNanosecondsAndNeverOverflows(String text, long nanos) {
    assertEquals(nanos, Timeout.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "S",
        "1",
        "12345678",
        "123456789S",
        "-1S",
        "+1S",
        " 1S",
        "1S ",
        "1 S",
        "1s",
        "1h",
        "1N",
        "1U",
        "1.5S",
        "1e3S",
        "0x1S",
        "1SS",
        "S1",
        "1\u0000",
        "\u0661S",
        "\uff11S",
        "1\uff33",
      })
  void malformedOnesAreToldApart(String text) {
    assertEquals(Timeout.MALFORMED, Timeout.parse(text));
  }
}
