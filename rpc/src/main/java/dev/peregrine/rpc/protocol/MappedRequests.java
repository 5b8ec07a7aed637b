package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import java.util.HashMap;
import java.util.Map;

/** The plain HTTP requests that mean calls by a server's {@link HttpMapping}. Any thread. */
final class MappedRequests {

  private static final String EVENTS = "text/event-stream";

  private final HttpMapping.Table table;
  private final Codings codings;
  private final BodyHeads heads;
  private final CallRefusals refusals;

  /**
   * By content type: as many as the mapping knows. Never changed, only replaced; a loop that is
   * late to see it makes a head twice.
   */
  private Map<String, ResponseHead> streamHeads = Map.of();

  MappedRequests(HttpMapping.Table table, Codings codings) {
    this.table = table;
    this.codings = codings;
    this.heads = new BodyHeads("application/json", codings);
    this.refusals = CallRefusals.of(status -> refuse(status, null, null));
  }

  /** What a header section means, or {@code null} if its path means no call. */
  Opening resolve(Headers headers, Routes routes, HttpVersion version, Router router) {
    HttpMapping.Match match =
        table.match(
            headers.get(HeaderName.METHOD),
            headers.get(HeaderName.PATH),
            headers.get(HeaderName.CONTENT_TYPE),
            headers.get(HeaderName.ACCEPT));
    if (match instanceof HttpMapping.Found<?, ?> found) {
      BoundMethod<?, ?> method = routes.method("/" + found.method().fullName());
      if (method == null) {
        return null; // not served here
      }
      Opening opening = new MappedProtocol<>(found, this).resolve(headers, method, version, router);
      return opening.refusal() == null ? opening : new RefusedCall(opening.refusal(), method);
    }
    return match instanceof HttpMapping.Refused refused ? refuse(refused) : null;
  }

  private Refusal refuse(HttpMapping.Refused refused) {
    HeaderName name = refused.allow() == null ? null : HeaderName.ALLOW;
    Headers json = new Headers().add(HeaderName.CONTENT_TYPE, "application/json");
    return Refusal.of(
        refused.status(),
        ResponseHead.of(refused.httpStatus(), json),
        name,
        refused.allow(),
        table::failure);
  }

  /** Ends a call before it begins; with one more field unless null. */
  Refusal refuse(Status status, HeaderName name, String value) {
    return Refusal.of(status, BodyHeads.jsonError(status.code()), name, value, table::failure);
  }

  Codings codings() {
    return codings;
  }

  CallRefusals refusals() {
    return refusals;
  }

  /** The header section of a response that is one message. */
  ResponseHead head(Compressor compressor) {
    return heads.response(compressor);
  }

  /** The header section of a stream. */
  ResponseHead streamHead(String contentType) {
    ResponseHead known = streamHeads.get(contentType);
    if (known != null) {
      return known;
    }
    ResponseHead made = newStreamHead(contentType);
    Map<String, ResponseHead> more = new HashMap<>(streamHeads);
    more.put(contentType, made);
    streamHeads = Map.copyOf(more);
    return made;
  }

  private static ResponseHead newStreamHead(String contentType) {
    Headers fields = new Headers().add(HeaderName.CONTENT_TYPE, contentType);
    if (contentType.equals(EVENTS)) {
      // HTML, 9.2.1: otherwise a cache may wait for the end before it passes anything on.
      fields.add("cache-control", "no-cache");
    }
    return ResponseHead.of(200, fields);
  }

  /** The content of a failure. */
  byte[] failure(Status status) {
    return table.failure(status);
  }
}
