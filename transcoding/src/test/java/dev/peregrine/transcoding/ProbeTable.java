package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.peregrine.json.Json;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.transcoding.probe.All;
import dev.peregrine.transcoding.probe.ProbeService;
import java.util.List;

/** The rules of the probe without a server: what requests mean, and how responses are written. */
final class ProbeTable {

  private final HttpMapping.Table table;

  ProbeTable(Transcoding transcoding) {
    table = transcoding.map(List.of(new ProbeService() {}.definition()));
  }

  HttpMapping.Match match(String request, String contentType, String accept) {
    int space = request.indexOf(' ');
    return table.match(
        request.substring(0, space), request.substring(space + 1), contentType, accept);
  }

  /**
   * The JSON of the message a request means, or what is wrong with it.
   *
   * @param request method and target
   */
  String message(String request, String content) {
    try {
      return json(decode(request, content));
    } catch (MalformedMessageException e) {
      return "malformed: " + e.getMessage();
    }
  }

  Object decode(String request, String content) throws MalformedMessageException {
    if (!(match(request, "application/json", null) instanceof HttpMapping.Found<?, ?> found)) {
      throw new AssertionError(request + " means nothing");
    }
    byte[] bytes = ("##" + content + "##").getBytes(UTF_8);
    return found.requestCodec().decode(bytes, 2, bytes.length - 4);
  }

  /** What a response of the path's method is written as. */
  @SuppressWarnings("unchecked") // the probe has messages of one type
  String response(String request, All response) {
    HttpMapping.Found<?, All> found =
        (HttpMapping.Found<?, All>) match(request, "application/json", null);
    assertNull(found.framing());
    return new String(found.responseCodec().toBytes(response), UTF_8);
  }

  private static String json(Object message) {
    return new String(new Json().codec(All.getDefaultInstance()).toBytes((All) message), UTF_8);
  }
}
