package dev.peregrine.wire.http1;

/**
 * Where responses get their date from (RFC 9110, 6.6.1): engines have no clock. Loop-confined.
 * Implemented by the server side, which makes the line anew once a second.
 */
@FunctionalInterface
public interface DateField {

  /** The whole field line for now, with CRLF; not to be changed. */
  byte[] line();
}
