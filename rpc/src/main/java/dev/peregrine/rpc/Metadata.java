package dev.peregrine.rpc;

import dev.peregrine.wire.Headers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Custom header or trailer fields of a call, in order, duplicates kept. One thread at a time.
 *
 * <p>Names are lower case, of {@code [0-9a-z_.-]}. A name that ends in {@code -bin} carries bytes;
 * any other carries printable ASCII.
 */
public final class Metadata {

  private static final String BINARY_SUFFIX = "-bin";

  /** RFC 9113, 8.2.2: a message with one of these is malformed. */
  private static final Set<String> CONNECTION_FIELDS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private final Headers fields;

  /** No fields yet. */
  public Metadata() {
    this(new Headers());
  }

  private Metadata(Headers fields) {
    this.fields = fields;
  }

  /**
   * The custom fields among a request's header section: not pseudo-headers and not those that
   * belong to the protocol.
   */
  @SuppressWarnings("exports")
  public static Metadata of(Headers headers) {
    Headers custom = new Headers();
    for (int i = 0; i < headers.size(); i++) {
      if (isCustom(headers.name(i).toString())) {
        custom.add(headers.name(i), headers.value(i));
      }
    }
    return new Metadata(custom);
  }

  private static boolean isCustom(String name) {
    return !name.startsWith(":") && !isReserved(name);
  }

  private static boolean isReserved(String name) {
    return name.startsWith("grpc-")
        || name.startsWith("connect-")
        || name.equals("content-encoding")
        || name.equals("x-grpc-web")
        || name.equals("content-type")
        || name.equals("te")
        || name.equals("host")
        || name.equals("content-length")
        || CONNECTION_FIELDS.contains(name);
  }

  /**
   * Appends a text value.
   *
   * @throws IllegalArgumentException if the name or the value has characters which may not be sent,
   *     or the name is reserved for the protocol
   */
  public Metadata add(String name, String value) {
    String key = checkedName(name);
    if (key.endsWith(BINARY_SUFFIX)) {
      throw new IllegalArgumentException(key + " carries bytes: use addBinary");
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x20 || c > 0x7e) {
        throw new IllegalArgumentException("the value of " + key + " is not printable ASCII");
      }
    }
    fields.add(key, value.strip());
    return this;
  }

  /**
   * Appends a value of bytes; it is sent as unpadded base64.
   *
   * @param name ends in {@code -bin}
   */
  public Metadata addBinary(String name, byte[] value) {
    String key = checkedName(name);
    if (!key.endsWith(BINARY_SUFFIX)) {
      throw new IllegalArgumentException(key + " carries text: its name does not end in -bin");
    }
    fields.add(key, Base64.getEncoder().withoutPadding().encodeToString(value));
    return this;
  }

  /** Appends every field of another. */
  public Metadata addAll(Metadata other) {
    int count = other.fields.size(); // once, as it may be this one
    for (int i = 0; i < count; i++) {
      fields.add(other.fields.name(i), other.fields.value(i));
    }
    return this;
  }

  private static String checkedName(String name) {
    boolean legal = !name.isEmpty();
    for (int i = 0; i < name.length() && legal; i++) {
      char c = name.charAt(i);
      legal =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.".indexOf(c) >= 0;
    }
    if (!legal) {
      throw new IllegalArgumentException("\"" + name + "\" is not a metadata name");
    }
    String key = name.toLowerCase(Locale.ROOT);
    if (isReserved(key)) {
      throw new IllegalArgumentException(key + " belongs to the protocol");
    }
    return key;
  }

  /** The first value of a name, as it was sent, or {@code null}. */
  public String get(String name) {
    return fields.get(name.toLowerCase(Locale.ROOT));
  }

  /** Every value of a name, in order, as they were sent. */
  public List<String> getAll(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).toString().equals(key)) {
        all.add(fields.value(i));
      }
    }
    return all;
  }

  /**
   * Every value of a name that ends in {@code -bin}, in order; values which the peer joined by
   * commas are separate ones.
   *
   * @throws IllegalArgumentException if a value is not base64
   */
  public List<byte[]> getAllBinary(String name) {
    List<byte[]> all = new ArrayList<>();
    for (String joined : getAll(name)) {
      for (String value : joined.split(",", -1)) {
        all.add(Base64.getDecoder().decode(value.strip()));
      }
    }
    return all;
  }

  /** The first value of a name that ends in {@code -bin}, or {@code null}. */
  public byte[] getBinary(String name) {
    List<byte[]> all = getAllBinary(name);
    return all.isEmpty() ? null : all.get(0);
  }

  /** The number of fields. */
  public int size() {
    return fields.size();
  }

  /** Visits every field in order, values as they are on the wire. */
  public void forEach(BiConsumer<String, String> visitor) {
    for (int i = 0; i < fields.size(); i++) {
      visitor.accept(fields.name(i).toString(), fields.value(i));
    }
  }

  /** The fields as engines take them; not to be changed. For Peregrine's own modules. */
  @SuppressWarnings("exports")
  public Headers fields() {
    return fields;
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
