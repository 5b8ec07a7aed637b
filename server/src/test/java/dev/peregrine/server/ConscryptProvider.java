package dev.peregrine.server;

import java.security.Provider;
import javax.net.ssl.SSLEngine;
import org.conscrypt.Conscrypt;

/** As {@code peregrine-conscrypt} has it, which these tests cannot depend on. */
final class ConscryptProvider implements TlsProvider {

  private final Provider conscrypt = Conscrypt.newProvider();

  @Override
  public Provider provider() {
    return conscrypt;
  }

  @Override
  public void prepare(SSLEngine engine) {
    Conscrypt.setUseSessionTickets(engine, true);
  }
}
