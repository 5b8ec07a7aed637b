package dev.peregrine.rpc.protocol;

import com.google.protobuf.ByteString;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import java.util.Base64;

/**
 * How every wire makes a call of a header section: the deadline, the codecs, the compression. What
 * the fields are called, and how a fault is answered, is its subclasses' own. Any thread.
 */
abstract class CallProtocol implements Protocol {

  private final String subtype;
  private final boolean isDefault;
  private final Codings codings;

  /**
   * A wire with one codec.
   *
   * @param subtype the codec's name
   * @param isDefault whether a method's own codec stands for it, whatever its name
   */
  CallProtocol(String subtype, boolean isDefault, Codings codings) {
    this.subtype = subtype;
    this.isDefault = isDefault;
    this.codings = codings;
  }

  /** The name of the codec. */
  final String subtype() {
    return subtype;
  }

  /** Whether a method's own codec stands for the codec. */
  final boolean isDefault() {
    return isDefault;
  }

  final Codings codings() {
    return codings;
  }

  // ---- What a wire does in its own way.

  /** The field with the compressions which the client accepts. */
  abstract HeaderName acceptField();

  /** The field with the time that a call may take, where that is looked at. */
  HeaderName timeoutField() {
    return HeaderName.GRPC_TIMEOUT;
  }

  /** The time a call may take, {@link Timeout#NONE} or {@link Timeout#MALFORMED}. */
  abstract long timeoutNanos(Headers headers);

  /** What else is wrong with a header section, or {@code null}. */
  abstract Opening fault(Headers headers, BoundMethod<?, ?> method, HttpVersion version);

  /** Ends a call before it begins, as this protocol does; with one more field unless null. */
  abstract Refusal refuse(Status status, HeaderName name, String value);

  /** The answer to a header section with a field which cannot be understood. */
  abstract Refusal malformedField(String text);

  /**
   * The header section which announces how responses are coded.
   *
   * @param compressor what they may be compressed with, or {@code null}
   * @param advertise whether the client cares what this server can decompress
   */
  abstract ResponseHead responseHead(Compressor compressor, boolean advertise);

  // ---- What they share.

  @Override
  public final Opening resolve(
      Headers headers, BoundMethod<?, ?> method, HttpVersion version, Router router) {
    return resolve(headers, method, version, router, headers.get(encodingField()), null);
  }

  /**
   * The same for a request whose message may be in its header section.
   *
   * @param encoding the compression of the request, or {@code null}
   * @param content the message, or {@code null} if it follows as content
   */
  final Opening resolve(
      Headers headers,
      BoundMethod<?, ?> method,
      HttpVersion version,
      Router router,
      String encoding,
      ByteString content) {
    Opening fault = fault(headers, method, version);
    if (fault != null) {
      return fault;
    }
    long timeoutNanos = timeoutNanos(headers);
    if (timeoutNanos == Timeout.MALFORMED) {
      return malformedField("malformed " + timeoutField());
    }
    String binary = malformedBinary(headers);
    if (binary != null) {
      return malformedField("the value of " + binary + " is not base64");
    }
    if (encoding != null && !encoding.equals("identity") && codings.compressor(encoding) == null) {
      return refuse(
          Status.UNIMPLEMENTED.withMessage(encodingField() + " " + encoding + " is not supported"),
          acceptField(),
          codings.acceptList());
    }
    return head(headers, method, bounded(timeoutNanos, method.limits()), router, encoding, content);
  }

  /** The timeout of a call within the limits of the server. */
  private static long bounded(long timeoutNanos, Limits limits) {
    long wantedNanos = timeoutNanos == Timeout.NONE ? limits.defaultDeadlineNanos() : timeoutNanos;
    long nanos = Math.min(wantedNanos, limits.maxDeadlineNanos());
    return nanos == Limits.NONE_NANOS ? Timeout.NONE : nanos;
  }

  private <Q, R> Opening head(
      Headers headers,
      BoundMethod<Q, R> bound,
      long timeoutNanos,
      Router router,
      String encoding,
      ByteString content) {
    Method<Q, R> method = bound.method();
    Codec<Q> requests = requestCodec(method.requestCodec());
    Codec<R> responses = responseCodec(headers, method.responseCodec());
    if (requests == null || responses == null) {
      return Refusal.http(
          415, Status.INTERNAL.withMessage(method + " is not served as " + subtype));
    }
    Compressor compressor = encoding == null ? null : codings.compressor(encoding);
    // Without an accept list, only what the client itself used is safe to send.
    String accepted = headers.get(acceptField());
    Compressor answer = accepted == null ? compressor : codings.firstAccepted(accepted);
    MessageCoding<Q, R> coding =
        new MessageCoding<>(
            requests, responses, compressor, answer, responseHead(answer, accepted != null));
    return new RequestHead<>(
        this, bound, headers, coding, timeoutNanos, content, router, router.dispatch(bound));
  }

  /** A method's own codec stands for the default sub-type, whatever its name. */
  private <T> Codec<T> codec(Codec<T> own) {
    return isDefault ? own : codings.codec(own, subtype);
  }

  /** How requests are encoded, given a method's own codec. */
  <Q> Codec<Q> requestCodec(Codec<Q> own) {
    return codec(own);
  }

  /** How responses are encoded, given a method's own codec: as requests are. */
  <R> Codec<R> responseCodec(Headers headers, Codec<R> own) {
    return codec(own);
  }

  /** The first {@code -bin} field whose value is not base64, or {@code null}. */
  private static String malformedBinary(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i).toString();
      if (name.endsWith("-bin") && !isBase64(headers.value(i))) {
        return name;
      }
    }
    return null;
  }

  /** Padded or not; values joined by commas are separate ones. */
  private static boolean isBase64(String joined) {
    try {
      for (String value : joined.split(",", -1)) {
        Base64.getDecoder().decode(value.strip());
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
