package dev.peregrine.wire.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the handler sees of a request's head. */
class RequestHeadersTest {

  private final FakeTransport transport = new FakeTransport();
  private final FakeSite site = new FakeSite();
  private final Http1Connection connection =
      new Http1Connection(transport, site, Http1Limits.STANDARD, null, 0);

  private Headers headersOf(String request) {
    byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
    connection.receive(bytes, 0, bytes.length, 0);
    transport.endBurst();
    return site.headers(site.requests());
  }

  @Test
  void fieldsAreThoseThatHttp2WouldHave() {
    Headers headers =
        headersOf(
            """
            PUT /a?b HTTP/1.1
            Accept: x
            HOST: h:1
            Connection: keep-alive, foo
            Keep-Alive: 5
            Proxy-Connection: a
            Upgrade: h2c
            TE: trailers
            X-Two: 1
            x-two: \t2\s
            Content-Length: 0

            """
                .replace("\n", "\r\n"));
    assertEquals(
        """
        :method: PUT
        :scheme: http
        :path: /a?b
        :authority: h:1
        accept: x
        te: trailers
        x-two: 1
        x-two: 2
        content-length: 0
        """,
        headers.toString());
    assertTrue(headers.checked());
    assertEquals(0, headers.contentLength());
    assertEquals(HttpVersion.HTTP_1_1, site.stream(1).version());
  }

  @Test
  void targetWinsOverHost() {
    Headers headers = headersOf("GET HTTPS://a.org/x HTTP/1.1\r\nHost: b.org\r\n\r\n");
    assertEquals(
        ":method: GET\n:scheme: https\n:path: /x\n:authority: a.org\n", headers.toString());
  }

  @Test
  void requestOverTlsIsForHttps() {
    connection.overTls();
    Headers headers = headersOf("GET /x HTTP/1.1\r\nHost: b.org\r\n\r\n");
    assertEquals("https", headers.get(":scheme"));
  }

  @Test
  void http10NeedsNoHost() {
    Headers headers = headersOf("GET /x HTTP/1.0\r\n\r\n");
    assertEquals(":method: GET\n:scheme: http\n:path: /x\n", headers.toString());
    assertEquals(HttpVersion.HTTP_1_0, site.stream(1).version());
  }

  @Test
  void sameBytesAreTheSameHeaders() {
    String get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    Headers headers = headersOf(get);
    headers.attachment("known");
    assertSame(headers, headersOf(get));
    assertNotSame(headers, headersOf("GET /a HTTP/1.1\r\nHost: X\r\n\r\n"));
    assertSame(headers, headersOf(get));
    assertEquals("known", headersOf(get).attachment());
  }

  @Test
  void sameBytesInPiecesAreTheSameHeaders() {
    String get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    Headers headers = headersOf(get);
    for (int cut = 1; cut < get.length(); cut++) {
      headersOf(get.substring(0, cut));
      assertSame(headers, headersOf(get.substring(cut)));
    }
    assertEquals(get.length(), site.requests());
  }

  @Test
  void fewHeadsAreRemembered() {
    String get = "GET /%d HTTP/1.1\r\nHost: x\r\n\r\n";
    Headers[] headers = new Headers[HeadCache.MAX_ENTRIES + 1];
    for (int i = 0; i < headers.length; i++) {
      headers[i] = headersOf(String.format(get, i));
    }
    assertSame(headers[1], headersOf(String.format(get, 1)));
    assertNotSame(headers[0], headersOf(String.format(get, 0)));
    String large = "GET /a HTTP/1.1\r\nHost: x\r\nA: " + "b".repeat(1000) + "\r\n\r\n";
    assertNotSame(headersOf(large), headersOf(large));
  }
}
