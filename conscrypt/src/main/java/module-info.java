/** TLS by Conscrypt, which is BoringSSL. */
module dev.peregrine.conscrypt {
  requires dev.peregrine.server;
  requires org.conscrypt;

  provides dev.peregrine.server.TlsProvider with
      dev.peregrine.conscrypt.ConscryptTls;
}
