package dev.peregrine.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Reads certificates and private keys from PEM files (RFC 7468). Any thread. */
final class PemFiles {

  /** Nobody has a chain or a list of authorities like this; a wrong path should not fill memory. */
  private static final long MAX_FILE_BYTES = 4L * 1024 * 1024;

  private static final String BEGIN = "-----BEGIN ";
  private static final String DASHES = "-----";

  private PemFiles() {}

  /** A whole file. */
  static byte[] read(Path file) throws IOException {
    long length = Files.size(file);
    if (length > MAX_FILE_BYTES) {
      throw new IOException(file + " has " + length + " bytes: that is no PEM file");
    }
    return Files.readAllBytes(file);
  }

  /**
   * All certificates of a file, in its order.
   *
   * @param name of the file, for messages
   * @throws GeneralSecurityException in one sentence, if there is none, or one is broken
   */
  static List<X509Certificate> certificates(byte[] pem, String name)
      throws GeneralSecurityException {
    List<X509Certificate> found = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (Block block : blocks(pem, name)) {
      if (block.label.equals("CERTIFICATE") || block.label.equals("X509 CERTIFICATE")) {
        ByteArrayInputStream der = new ByteArrayInputStream(block.der);
        found.add((X509Certificate) factory.generateCertificate(der));
      }
    }
    if (found.isEmpty()) {
      throw new GeneralSecurityException(name + " holds no certificate");
    }
    return found;
  }

  /**
   * The private key of a file: PKCS#8, or the older PKCS#1 and SEC 1 forms.
   *
   * @param publicKey of the certificate it belongs to
   * @throws GeneralSecurityException in one sentence, if there is none, or it is broken or
   *     encrypted
   */
  static PrivateKey privateKey(byte[] pem, PublicKey publicKey, String name)
      throws GeneralSecurityException {
    for (Block block : blocks(pem, name)) {
      switch (block.label) {
        case "PRIVATE KEY" -> {
          return decode(block.der, publicKey, name);
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
          return decode(wrapped(block.der, publicKey), publicKey, name);
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new GeneralSecurityException(
                name + " holds an encrypted key: decrypt it, or use a PKCS#12 file");
        default -> {
          // parameters, certificates: other things people keep in the same file
        }
      }
    }
    throw new GeneralSecurityException(name + " holds no private key");
  }

  private static PrivateKey decode(byte[] pkcs8, PublicKey publicKey, String name)
      throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance(publicKey.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (InvalidKeySpecException e) {
      throw new GeneralSecurityException(
          name + " holds no " + publicKey.getAlgorithm() + " key, as its certificate has", e);
    }
  }

  /**
   * PKCS#8 around an older form (RFC 5958, 2): version 0, the algorithm, the key. The algorithm is
   * written like that of the public key (RFC 5280, 4.1.2.7).
   */
  private static byte[] wrapped(byte[] key, PublicKey publicKey) {
    byte[] spki = publicKey.getEncoded();
    int begin = contentOffset(spki, 0);
    int end = contentOffset(spki, begin) + contentLength(spki, begin);
    byte[] algorithm = Arrays.copyOfRange(spki, begin, end);
    byte[] version = {0x02, 0x01, 0x00};
    return element(0x30, version, algorithm, element(0x04, key));
  }

  private static byte[] element(int tag, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] out = new byte[4 + length];
    // The long form with two bytes of length, which all keys need or may have.
    out[0] = (byte) tag;
    out[1] = (byte) 0x82;
    out[2] = (byte) (length >>> 8);
    out[3] = (byte) length;
    int at = 4;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, out, at, part.length);
      at += part.length;
    }
    return out;
  }

  private static int contentOffset(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int contentLength(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = length << 8 | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(String label, byte[] der) {}

  private static List<Block> blocks(byte[] pem, String name) throws GeneralSecurityException {
    String text = new String(pem, StandardCharsets.ISO_8859_1);
    List<Block> blocks = new ArrayList<>();
    int at = text.indexOf(BEGIN);
    while (at >= 0) {
      int labelEnd = text.indexOf(DASHES, at + BEGIN.length());
      String label = labelEnd < 0 ? "" : text.substring(at + BEGIN.length(), labelEnd);
      int end = text.indexOf("-----END " + label + DASHES, at);
      if (labelEnd < 0 || end < 0) {
        throw new GeneralSecurityException(name + " is cut off: a BEGIN has no END");
      }
      String body = text.substring(labelEnd + DASHES.length(), end);
      try {
        blocks.add(new Block(label, Base64.getMimeDecoder().decode(body)));
      } catch (IllegalArgumentException e) {
        throw new GeneralSecurityException(name + " is no proper base64", e);
      }
      at = text.indexOf(BEGIN, end);
    }
    return blocks;
  }
}
