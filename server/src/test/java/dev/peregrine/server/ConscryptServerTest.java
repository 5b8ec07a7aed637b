package dev.peregrine.server;

/** The same with Conscrypt. */
class ConscryptServerTest extends TlsServerTest {

  private static final TlsProvider CONSCRYPT = new ConscryptProvider();

  @Override
  TlsProvider provider() {
    return CONSCRYPT;
  }
}
