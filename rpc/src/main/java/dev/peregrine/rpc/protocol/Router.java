package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.Status;
import dev.peregrine.rpc.WireRequest;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/**
 * Path to method, content type to protocol: where every request enters the call layer. One per
 * event loop, loop-confined.
 *
 * <p>The path is matched as exact bytes, never normalised, before anything else looks at the
 * request, so that whoever judges a call later judges the name that was routed.
 */
public final class Router implements HttpHandler {

  private static final Refusal TOO_MANY_FIELDS =
      Refusal.http(
          431, Status.RESOURCE_EXHAUSTED.withMessage("the header section is over the limit"));

  private static final Refusal NOT_FOUND =
      Refusal.http(404, Status.UNIMPLEMENTED.withMessage("nothing is served at this path"));

  private static final Refusal NEITHER_GET_NOR_POST =
      Refusal.http(
          405,
          Status.INTERNAL.withMessage("a call needs POST or GET"),
          HeaderName.ALLOW,
          "GET, POST");

  private final Routes routes;
  private final Loop loop;
  private final HttpHandler endpoints;
  private final List<ServerObserver> observers;
  private final Dispatch[] dispatches;
  private final int maxCalls;
  private final SpareArrays spareArrays = new SpareArrays();
  private int openCalls;
  private HandlerTask inlineRuns;

  /**
   * The router of one loop.
   *
   * @param endpoints answers what is not a call, or {@code null} if nothing does; it is asked by
   *     {@link Routes#hasEndpoint} first
   */
  public Router(Routes routes, Loop loop, HttpHandler endpoints) {
    this.routes = routes;
    this.loop = loop;
    this.endpoints = endpoints;
    this.observers = routes.observers();
    this.dispatches = routes.dispatches();
    this.maxCalls = routes.maxCallsPerLoop();
  }

  /**
   * The same for listeners where only a part of what is served can be had. Requests of one
   * connection must always come by the same one.
   *
   * @param part of this router's routes
   * @param partEndpoints answers what is not a call there, or {@code null} if nothing does
   */
  public HttpHandler serving(Routes part, HttpHandler partEndpoints) {
    return (stream, headers, end) -> enter(part, partEndpoints, stream, headers, end);
  }

  @Override
  public StreamListener onRequest(HttpStream stream, Headers headers, boolean end) {
    return enter(routes, endpoints, stream, headers, end);
  }

  private StreamListener enter(
      Routes served, HttpHandler others, HttpStream stream, Headers headers, boolean end) {
    Opening opening = (Opening) headers.attachment();
    if (opening == null) {
      opening = withCors(served, others, stream, headers);
      headers.attachment(opening);
    }
    Refusal refusal = opening.refusal();
    if (refusal != null) {
      if (headers.truncated()) {
        loop.limitReached(
            Limit.HEADER_BYTES, stream.transport(), "a header section is over the limit");
      }
      observe(served, opening, stream, headers);
    }
    return opening.open(stream, end);
  }

  private void observe(Routes served, Opening refused, HttpStream stream, Headers headers) {
    WireRequest request = new StreamRequest(stream, headers);
    BoundMethod<?, ?> method = refused.refusedMethod();
    if (method == null) {
      method = served.methodOfTarget(headers.get(HeaderName.PATH));
    }
    Protocol wire = routes.protocols().of(headers.get(HeaderName.CONTENT_TYPE));
    if (method == null && wire == null) {
      // Neither the path nor the content says that a call was meant: a page that is not there.
      CallTally.refusedPage(observers, refused.refusal(), request);
      return;
    }
    CallTally.refused(
        method == null ? observers : method.observers(),
        method == null ? request.target() : method.method().fullName(),
        method != null,
        wire == null || refused.refusedMethod() != null ? "http" : wire.name(),
        refused.refusal(),
        request);
  }

  /** Hands the calls which this burst made ready to their executions. */
  public void burstEnded() {
    for (Dispatch dispatch : dispatches) {
      dispatch.handOver();
    }
    HandlerTask run = inlineRuns;
    inlineRuns = null;
    while (run != null) {
      HandlerTask next = run.nextQueued();
      run.runHandler();
      run = next;
    }
  }

  /** Runs a batch on this loop, once all calls of this burst are in it. */
  void atBurstEnd(HandlerTask run) {
    run.linkQueued(inlineRuns);
    inlineRuns = run;
  }

  /** Takes a place for one more call; false if the server has too many. */
  boolean admit() {
    if (openCalls >= maxCalls) {
      return false;
    }
    openCalls++;
    return true;
  }

  /** Gives the place of a call back: it has ended. */
  void release() {
    openCalls--;
  }

  /** The calls of this loop that have not ended. */
  public int openCalls() {
    return openCalls;
  }

  /** The loop this router belongs to. */
  Loop loop() {
    return loop;
  }

  /** Where this loop's calls assemble long messages. */
  SpareArrays spareArrays() {
    return spareArrays;
  }

  /** This loop's way to the executor of a method; {@code null} for inline. */
  Dispatch dispatch(BoundMethod<?, ?> method) {
    return method.executor() == null ? null : dispatches[routes.executorIndex(method.executor())];
  }

  private Opening withCors(Routes served, HttpHandler others, HttpStream stream, Headers headers) {
    CorsRules cors = routes.cors();
    if (cors == null) {
      return resolve(served, others, stream, headers);
    }
    return CorsRules.isPreflight(headers)
        ? observed(cors.preflight(headers), headers)
        : cors.around(resolve(served, others, stream, headers), headers);
  }

  private Opening resolve(Routes served, HttpHandler others, HttpStream stream, Headers headers) {
    if (headers.truncated()) {
      return TOO_MANY_FIELDS;
    }
    String path = headers.get(HeaderName.PATH);
    String contentType = headers.get(HeaderName.CONTENT_TYPE);
    Protocol protocol = routes.protocols().of(contentType);
    if (protocol instanceof GrpcProtocol) {
      return protocol.resolve(headers, served.method(path), stream.version(), this);
    }
    BoundMethod<?, ?> method = served.methodOfTarget(path);
    if (method == null && !GrpcProtocol.isGrpc(contentType)) {
      return resolveOther(served, others, stream, headers);
    }
    String httpMethod = headers.get(HeaderName.METHOD);
    boolean byGet = method != null && ConnectGet.serves(method);
    if (byGet && "GET".equals(httpMethod)) {
      return ConnectGet.resolve(routes.protocols(), headers, method, stream.version(), this);
    }
    if (!"POST".equals(httpMethod)) {
      return byGet ? NEITHER_GET_NOR_POST : GrpcProtocol.NOT_POST;
    }
    return protocol != null && protocol.serves(method)
        ? protocol.resolve(headers, method, stream.version(), this)
        : routes.protocols().unserved(contentType, method);
  }

  /** What is no method's path: an endpoint's, then what a mapping knows, then any other. */
  private Opening resolveOther(
      Routes served, HttpHandler others, HttpStream stream, Headers headers) {
    String path = headers.get(HeaderName.PATH);
    MappedRequests mapped = served.mappedRequests();
    if (mapped != null && path != null && !served.hasEndpointOfItsOwn(path)) {
      Opening opening = mapped.resolve(headers, served, stream.version(), this);
      if (opening != null) {
        return opening;
      }
    }
    if (others != null && served.hasEndpoint(path)) {
      return observed((opened, end) -> others.onRequest(opened, headers, end), headers);
    }
    return NOT_FOUND;
  }

  /** What opens requests that mean no call, told to observers if there are any. */
  private Opening observed(Opening opening, Headers headers) {
    return observers.isEmpty()
        ? opening
        : (stream, end) ->
            new ObservedStream(stream, headers, observers, loop.nowNanos()).open(opening, end);
  }
}
