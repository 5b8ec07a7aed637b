package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LogTextTest {

  @Test
  void whatIsPrintableStays() {
    assertEquals("/greeter.Greeter/Hello?x=~ 1", LogText.line("/greeter.Greeter/Hello?x=~ 1", 100));
  }

  // Neither a line of one's own, nor a sequence for a terminal, nor a way to write either.
  @Test
  void lineEndsAndTheLikeAreEscaped() {
    assertEquals(
        "a\\u000d\\u000aFATAL\\u001b[2J\\u007f\\u0085\\u2028\\\\u000a",
        LogText.line("a\r\nFATAL\u001b[2J\u007f\u0085\u2028\\u000a", 100));
  }

  @Test
  void whatIsLongIsCut() {
    assertEquals("abc...", LogText.line("abcd", 3));
    assertEquals("abc", LogText.line("abc", 3));
  }
}
