package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/**
 * A stream whose response has some more header fields, whoever answers. Only requests from pages of
 * other origins pay for it. Loop-confined.
 */
final class CorsStream extends ForwardedStream {

  private final Headers fields;

  CorsStream(HttpStream stream, Headers fields) {
    super(stream);
    this.fields = fields;
  }

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    Headers all = new Headers();
    addAll(all, extra);
    addAll(all, fields);
    stream.head(head, all, end);
  }

  private static void addAll(Headers target, Headers source) {
    for (int i = 0; source != null && i < source.size(); i++) {
      target.add(source.name(i), source.value(i));
    }
  }
}
