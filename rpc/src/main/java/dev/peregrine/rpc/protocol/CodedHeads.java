package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.util.HashMap;
import java.util.Map;

/**
 * The ready-made header sections of good responses of one content type, by how their messages are
 * coded. Made when a server is built, then any thread.
 */
final class CodedHeads {

  private final String contentType;
  private final ResponseHead plain;
  private final ResponseHead advertising;
  private final Map<Compressor, ResponseHead> compressed = new HashMap<>();

  /**
   * For one content type.
   *
   * @param encodingField names the compression of a response
   * @param acceptField tells what this server can decompress; {@code null} if it is not told
   */
  CodedHeads(
      String contentType, HeaderName encodingField, HeaderName acceptField, Codings codings) {
    this.contentType = contentType;
    this.plain = ResponseHead.of(200, typed());
    this.advertising =
        acceptField == null
            ? plain
            : ResponseHead.of(200, typed().add(acceptField, codings.acceptList()));
    for (Compressor compressor : codings.compressors()) {
      Headers fields = typed().add(encodingField, compressor.wireName());
      if (acceptField != null) {
        fields.add(acceptField, codings.acceptList());
      }
      compressed.put(compressor, ResponseHead.of(200, fields));
    }
  }

  private Headers typed() {
    return new Headers().add(HeaderName.CONTENT_TYPE, contentType);
  }

  /** Of a response that says nothing of compression. */
  ResponseHead plain() {
    return plain;
  }

  /**
   * Of a response.
   *
   * @param compressor what it may be compressed with, or {@code null}
   * @param advertise whether the client cares what this server can decompress
   */
  ResponseHead response(Compressor compressor, boolean advertise) {
    if (compressor != null) {
      return compressed.get(compressor);
    }
    return advertise ? advertising : plain;
  }
}
