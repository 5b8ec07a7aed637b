package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;
import java.util.Base64;

/**
 * A call by gRPC-Web as text (PROTOCOL-WEB): what the binary form sends, in base64, both ways. Each
 * message is padded, so that it can be read when it comes. Loop-confined, but for {@link #encode}.
 */
final class GrpcWebTextCall<Q, R> extends GrpcWebCall<Q, R> {

  private final Base64Reader text = new Base64Reader();

  GrpcWebTextCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  public void onData(byte[] bytes, int offset, int length, boolean end) {
    if (ended()) {
      stream.credit(length + text.forget());
      return;
    }
    byte[] plain = new byte[Base64Reader.maxBytes(length)];
    int arrived = text.pending() + length;
    int decoded = text.read(bytes, offset, length, plain);
    if (decoded == Base64Reader.MALFORMED || (end && text.pending() > 0)) {
      text.forget();
      stream.credit(arrived);
      end(head.protocol().malformed("the content is not base64"));
      return;
    }
    // What base64 has added is gone already; the rest is given back as it is taken.
    stream.credit(arrived - text.pending() - decoded);
    super.onData(plain, 0, decoded, end);
  }

  @Override
  int writeMessage(R message, int size) {
    byte[] encoded = encode(message, size);
    writeEncoded(encoded);
    return encoded.length;
  }

  @Override
  byte[] encode(R message, int size) {
    return Base64.getEncoder().encode(super.encode(message, size));
  }

  @Override
  void writeEncoded(byte[] encoded) {
    int pads = 0;
    while (encoded[encoded.length - 1 - pads] == '=') {
      pads++;
    }
    sent(encoded.length / 4 * 3 - pads - EnvelopeReader.PREFIX_BYTES);
    write(encoded);
  }

  @Override
  void writeTrailers(byte[] frame) {
    super.writeTrailers(Base64.getEncoder().encode(frame));
  }
}
