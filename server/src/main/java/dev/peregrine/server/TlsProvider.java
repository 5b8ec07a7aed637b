package dev.peregrine.server;

import java.security.Provider;
import java.util.ServiceLoader;
import javax.net.ssl.SSLEngine;

/**
 * By what TLS is spoken where {@link Tls#withProvider} says nothing: found by {@link
 * ServiceLoader}, which is how {@code peregrine-conscrypt} takes effect by being there. Any thread.
 */
public interface TlsProvider {

  /**
   * A provider with an {@code SSLContext} named TLS, or {@code null} if it cannot work here: then
   * the next one is asked, and the JDK's own in the end.
   */
  Provider provider();

  /** Sets what is particular to the provider, before the handshake of each connection. */
  default void prepare(SSLEngine engine) {}
}
