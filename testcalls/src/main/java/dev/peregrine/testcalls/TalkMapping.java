package dev.peregrine.testcalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.List;

/** {@code GET /say/TEXT} means a call of {@link Talk#SAY}; any other method 405. Any thread. */
public final class TalkMapping implements HttpMapping, HttpMapping.Table {

  private static final String PATH = "/say/";

  /** The text itself; a request is what the target ends with. */
  private record Text(String request) implements Codec<StringValue> {
    @Override
    public String name() {
      return "text";
    }

    @Override
    public int size(StringValue message) {
      return UNKNOWN_SIZE;
    }

    @Override
    public void encode(StringValue message, byte[] target, int offset) {
      throw new UnsupportedOperationException("its size is not known");
    }

    @Override
    public byte[] toBytes(StringValue message) {
      return message.getValue().getBytes(UTF_8);
    }

    @Override
    public StringValue decode(byte[] source, int offset, int length) {
      return StringValue.of(request);
    }
  }

  @Override
  public Table map(List<ServiceDefinition> services) {
    return this;
  }

  @Override
  public Match match(String httpMethod, String target, String contentType, String accept) {
    if (!target.startsWith(PATH)) {
      return null;
    }
    if (!httpMethod.equals("GET")) {
      return new Refused(405, Status.UNIMPLEMENTED.withMessage("this path has GET"), "GET");
    }
    Text text = new Text(target.substring(PATH.length()));
    return new Found<>(Talk.SAY, text, text, "text/plain", null);
  }

  @Override
  public byte[] failure(Status status) {
    return status.message().getBytes(UTF_8);
  }
}
