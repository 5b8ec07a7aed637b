package dev.peregrine.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.Status;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** JSON for one type of message. Any thread. */
final class JsonCodec<T extends Message> implements Codec<T> {

  /** As much of a parser's reason as is told: enough for a person, nothing for an attacker. */
  private static final int MAX_REASON_CHARS = 200;

  private final T prototype;
  private final JsonFormat.Parser parser;
  private final JsonFormat.Printer printer;

  JsonCodec(T prototype, JsonFormat.Parser parser, JsonFormat.Printer printer) {
    this.prototype = prototype;
    this.parser = parser;
    this.printer = printer;
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public int size(T message) {
    return UNKNOWN_SIZE;
  }

  @Override
  public void encode(T message, byte[] target, int offset) {
    byte[] bytes = toBytes(message);
    System.arraycopy(bytes, 0, target, offset, bytes.length);
  }

  @Override
  public byte[] toBytes(T message) {
    try {
      return printer.print(message).getBytes(UTF_8);
    } catch (InvalidProtocolBufferException e) {
      // An Any of a type that is not known here: the handler's fault, and worth its text.
      throw Status.INTERNAL
          .withMessage("a response cannot be written as JSON: " + e.getMessage())
          .exception();
    }
  }

  @Override
  @SuppressWarnings("unchecked") // a builder of the prototype builds its type
  public T decode(byte[] source, int offset, int length) throws MalformedMessageException {
    Message.Builder builder = prototype.newBuilderForType();
    String text = null;
    try {
      text = UTF_8.newDecoder().decode(ByteBuffer.wrap(source, offset, length)).toString();
      parser.merge(text, builder);
      // The parser stops behind the first value, whatever follows.
      if (!JsonEnd.isBehindFirstValue(text)) {
        throw new MalformedMessageException("malformed JSON: more than one value");
      }
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("malformed JSON: not UTF-8");
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException(
          "malformed JSON" + place(text) + ": " + cut(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Gson beneath the parser throws these for some bad texts.
      throw new MalformedMessageException("malformed JSON" + place(text));
    }
    return (T) builder.build();
  }

  /** The parser quotes what it does not like, up to the whole of a text of megabytes. */
  private static String cut(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "...";
  }

  private String place(String text) {
    String path = JsonFault.path(text, prototype, parser);
    return path.isEmpty() ? "" : " at " + path;
  }
}
