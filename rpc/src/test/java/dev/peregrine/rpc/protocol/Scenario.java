package dev.peregrine.rpc.protocol;

import com.google.protobuf.ByteString;
import dev.peregrine.rpc.Limits;
import dev.peregrine.wire.Headers;
import java.util.List;

/**
 * A request and the answer it must get, however its content is cut. The handler says hello.
 *
 * @param changes what is special about its header section; see {@link RequestParts#headers}
 * @param handled how often the handler must run
 */
record Scenario(
    String name,
    Limits limits,
    List<String> changes,
    ByteString content,
    int handled,
    List<String> answer) {

  static Scenario of(String name, byte[] content, int handled, String... answer) {
    return new Scenario(
        name, Limits.DEFAULTS, List.of(), ByteString.copyFrom(content), handled, List.of(answer));
  }

  /** The same for a request with other header fields. */
  Scenario with(String... others) {
    return new Scenario(name, limits, List.of(others), content, handled, answer);
  }

  /** The same within other limits. */
  Scenario within(Limits others) {
    return new Scenario(name, others, changes, content, handled, answer);
  }

  /** Its header section, made anew: a router leaves its findings in it. */
  Headers headers() {
    return RequestParts.headers(changes.toArray(String[]::new));
  }

  @Override
  public String toString() {
    return name;
  }
}
