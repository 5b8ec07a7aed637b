package dev.peregrine.server;

import dev.peregrine.rpc.protocol.LogLimit;
import dev.peregrine.rpc.protocol.LogText;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.io.ByteArrayOutputStream;
import java.util.Map;

/** The plain HTTP endpoints of a server, by path. One per event loop, loop-confined. */
final class Endpoints implements HttpHandler {

  /**
   * Bodies that may be half-way here at once, per loop. Single bodies are limited, too, but a
   * connection carries a thousand of them.
   */
  private static final long MAX_BUFFERED_BYTES = 64L * 1024 * 1024;

  /** Who writes an endpoint sees its first faults whole; then there is one a second. */
  private static final int FIRST_FAULTS = 10;

  /** The names of endpoints are shorter. */
  private static final int MAX_LOGGED_PATH_CHARS = 200;

  private static final HttpResponse BUSY =
      HttpResponse.text(503, "Too many request bodies are under way.\n");

  private static final HttpResponse TOO_LARGE =
      HttpResponse.text(413, "The body of this request is too large.\n");

  private static final HttpResponse HEADERS_TOO_LARGE =
      HttpResponse.text(431, "The header fields of this request are too large.\n");

  private static final HttpResponse NOT_FOUND =
      HttpResponse.text(404, "Nothing is served at this path.\n");

  private static final HttpResponse FAULT = HttpResponse.text(500, "An internal error.\n");

  private final Map<String, HttpEndpoint> byPath;
  private final HttpEndpoint fallback;
  private final int maxBodyBytes;

  /** A stack trace for each request would let any client fill the disk. */
  private final LogLimit faults = new LogLimit(FIRST_FAULTS);

  private long bufferedBytes;

  /**
   * Endpoints.
   *
   * @param fallback answers every other path, or {@code null}
   * @param maxBodyBytes a larger body is refused
   */
  Endpoints(Map<String, HttpEndpoint> byPath, HttpEndpoint fallback, int maxBodyBytes) {
    this.byPath = Map.copyOf(byPath);
    this.fallback = fallback;
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public StreamListener onRequest(HttpStream stream, Headers headers, boolean end) {
    HttpEndpoint endpoint = byPath.getOrDefault(HttpRequest.pathOf(headers), fallback);
    Exchange exchange = new Exchange(stream, headers, endpoint);
    if (headers.truncated()) {
      exchange.answer(HEADERS_TOO_LARGE);
    } else if (endpoint == null) {
      exchange.answer(NOT_FOUND);
    } else if (headers.contentLength() > maxBodyBytes) {
      // Before the client is told to go on (RFC 9110, 10.1.1).
      exchange.answer(TOO_LARGE);
    } else if (end) {
      exchange.handle();
    }
    return exchange;
  }

  /** One request and its response. Loop-confined. */
  private final class Exchange implements StreamListener {

    private final HttpStream stream;
    private final Headers headers;
    private final HttpEndpoint endpoint;
    private ByteArrayOutputStream body;
    private boolean answered;

    Exchange(HttpStream stream, Headers headers, HttpEndpoint endpoint) {
      this.stream = stream;
      this.headers = headers;
      this.endpoint = endpoint;
    }

    @Override
    public void onData(byte[] bytes, int offset, int length, boolean end) {
      if (answered) {
        stream.credit(length);
        return;
      }
      if (body == null) {
        body = new ByteArrayOutputStream();
      }
      if (length > maxBodyBytes - body.size()) {
        answer(TOO_LARGE);
        return;
      }
      if (length > MAX_BUFFERED_BYTES - bufferedBytes) {
        answer(BUSY);
        return;
      }
      bufferedBytes += length;
      body.write(bytes, offset, length);
      stream.credit(length);
      if (end) {
        handle();
      }
    }

    @Override
    public void onTrailers(Headers trailers) {
      if (!answered) {
        handle();
      }
    }

    @Override
    public void onReset(ErrorCode code) {
      answered = true;
      dropBody();
    }

    @Override
    public void onWritable() {
      // a response is handed over whole
    }

    void handle() {
      HttpResponse response;
      try {
        byte[] content = body == null ? new byte[0] : body.toByteArray();
        response = endpoint.handle(new HttpRequest(headers, content, stream.transport().peer()));
        if (response == null) {
          throw new NullPointerException("the endpoint returned null");
        }
      } catch (Exception | Error e) {
        // An error, too: it is this request's, and the connection has others.
        complain(e);
        response = FAULT;
      }
      answer(response);
    }

    private void complain(Throwable e) {
      if (faults.permits(System.nanoTime())) {
        // The fallback's path is the client's own.
        String path = LogText.line(HttpRequest.pathOf(headers), MAX_LOGGED_PATH_CHARS);
        Log.warn("the endpoint at " + path + " failed" + faults.takeSuppressed(), e);
      }
    }

    void answer(HttpResponse response) {
      answered = true;
      dropBody();
      byte[] content = response.body();
      boolean empty = content.length == 0 || "HEAD".equals(headers.get(HeaderName.METHOD));
      response.writeHead(stream, empty);
      if (!empty) {
        stream.data(content, 0, content.length, true);
      }
    }

    private void dropBody() {
      if (body != null) {
        bufferedBytes -= body.size();
        body = null;
      }
    }
  }
}
