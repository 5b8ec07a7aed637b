package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;
import java.util.List;

/**
 * Makes the message of a request: of its content first, then of the query, and of the path at last,
 * so that nothing takes the place of what the path says. Immutable, any thread.
 */
final class RequestCodec<Q> implements Codec<Q> {

  private final Route<Q, ?> route;
  private final List<String> texts;
  private final String query;

  /**
   * For requests of one target.
   *
   * @param texts what the path's variables take, as it was sent
   */
  RequestCodec(Route<Q, ?> route, List<String> texts, String query) {
    this.route = route;
    this.texts = texts;
    this.query = query;
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public int size(Q message) {
    return UNKNOWN_SIZE;
  }

  @Override
  public void encode(Q message, byte[] target, int offset) {
    throw new UnsupportedOperationException("requests are only read");
  }

  @Override
  public Q decode(byte[] source, int offset, int length) throws MalformedMessageException {
    Message.Builder builder = route.messages().request().newBuilderForType();
    if (route.hasBody() && length > 0) {
      addBody(builder, source, offset, length);
    }
    new QueryFields(builder, route::binds, route.ignoresUnknown()).addAll(query);
    addPath(builder);
    return route.messages().toRequest(builder.build());
  }

  private void addBody(Message.Builder builder, byte[] source, int offset, int length)
      throws MalformedMessageException {
    FieldDescriptor field = route.bodyField();
    if (field == null) {
      builder.mergeFrom(route.bodyCodec().decode(source, offset, length));
    } else if (Route.isMessage(field)) {
      builder.setField(field, route.bodyCodec().decode(source, offset, length));
    } else {
      // Only messages can be read alone, so the value is read as one of a message.
      byte[] before = ("{\"" + field.getName() + "\":").getBytes(UTF_8);
      byte[] object = new byte[before.length + length + 1];
      System.arraycopy(before, 0, object, 0, before.length);
      System.arraycopy(source, offset, object, before.length, length);
      object[object.length - 1] = '}';
      Message whole = route.bodyCodec().decode(object, 0, object.length);
      for (FieldDescriptor set : whole.getAllFields().keySet()) {
        if (set != field) {
          throw new MalformedMessageException("malformed JSON: more than one value");
        }
      }
      builder.mergeFrom(whole);
    }
  }

  private void addPath(Message.Builder builder) throws MalformedMessageException {
    List<PathTemplate.Variable> variables = route.template().variables();
    for (int i = 0; i < variables.size(); i++) {
      String text = texts.get(i);
      try {
        route
            .variables()
            .get(i)
            .set(
                builder,
                variables.get(i).multiple()
                    ? PercentDecoding.segments(text)
                    : PercentDecoding.segment(text));
      } catch (MalformedMessageException e) {
        throw new MalformedMessageException("path variable " + e.getMessage());
      }
    }
  }
}
