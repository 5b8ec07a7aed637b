package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaNamesTest {

  @ParameterizedTest
  @CsvSource({
    "SayHello, sayHello, SAY_HELLO",
    "say_hello, sayHello, SAY_HELLO",
    "sayHello, sayHello, SAY_HELLO",
    "GetURL, getURL, GET_URL",
    "GetURLOf, getURLOf, GET_URL_OF",
    "V2Get, v2Get, V2_GET",
    "get2x, get2x, GET2X",
    "A, a, A",
    "__a__b__, aB, A_B",
    "_, x, X",
    "_9, x9, X9",
  })
  void methodsAndConstantsFollowJavasConventions(String proto, String method, String constant) {
    assertEquals(method, JavaNames.lowerCamel(proto));
    assertEquals(constant, JavaNames.constant(proto));
  }
}
