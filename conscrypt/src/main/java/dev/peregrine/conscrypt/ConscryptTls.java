package dev.peregrine.conscrypt;

import dev.peregrine.server.TlsProvider;
import java.security.Provider;
import javax.net.ssl.SSLEngine;
import org.conscrypt.Conscrypt;

/**
 * Has servers speak TLS by Conscrypt, by being on the path. Any thread.
 *
 * <p>Its native part is there for x86-64 on Linux, macOS and Windows; elsewhere the JDK's own TLS
 * goes on being used, with a line in the log.
 */
public final class ConscryptTls implements TlsProvider {

  private static final System.Logger LOG = System.getLogger("dev.peregrine");

  /** Called by the {@link java.util.ServiceLoader}. */
  public ConscryptTls() {}

  @Override
  public Provider provider() {
    if (!Conscrypt.isAvailable()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Conscrypt has no native part for this system: TLS is spoken by the JDK");
      return null;
    }
    return Conscrypt.newProvider();
  }

  /** Without tickets Conscrypt resumes no sessions of TLS 1.3. */
  @Override
  public void prepare(SSLEngine engine) {
    Conscrypt.setUseSessionTickets(engine, true);
  }
}
