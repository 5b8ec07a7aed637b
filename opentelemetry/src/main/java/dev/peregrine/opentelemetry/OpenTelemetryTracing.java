package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ContextKey;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.WireRequest;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * A span for each call, by every wire: of kind SERVER, child of what the client's header fields
 * say, ended once whatever becomes of the call. Any thread.
 *
 * <pre>{@code
 * Server.builder().port(50051).add(new Greeter()).intercept(new OpenTelemetryTracing(openTelemetry)).start();
 * }</pre>
 *
 * <p>Within handlers the span is current ({@link Span#current()}); on other threads, and for
 * handlers of batches, {@link #span(Context)} has it. Add it before other interceptors, whose work
 * then belongs to the span. Once is enough: of several the first makes the span of each call.
 *
 * <p>Names and attributes are those of the semantic conventions of RPC, version 1.45. A context
 * that is malformed is none: the propagator ignores it, and the span begins a trace.
 */
@SuppressWarnings("try") // scopes are there to be closed
public final class OpenTelemetryTracing implements Interceptor {

  private static final ContextKey<io.opentelemetry.context.Context> KEY =
      ContextKey.of("OpenTelemetry context");

  /** Whose the span of a call is: of several that were added, the first. */
  private static final ContextKey<OpenTelemetryTracing> OWNER =
      ContextKey.of("OpenTelemetry tracing");

  /** What the span of a call has as its exception already. */
  private static final ContextKey<Throwable> RECORDED = ContextKey.of("OpenTelemetry exception");

  private static final TextMapGetter<WireRequest> FIELDS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // abstract all the same
        public Iterable<String> keys(WireRequest request) {
          return request.fieldNames();
        }

        @Override
        public String get(WireRequest request, String name) {
          if (request == null) {
            return null;
          }
          String key = name.toLowerCase(Locale.ROOT);
          // W3C Trace Context, 3.3.1: the list may come in several fields; combined they are it.
          return key.equals("tracestate") && request.field(key) != null
              ? String.join(",", request.fieldValues(key))
              : request.field(key);
        }

        @Override
        public Iterator<String> getAll(WireRequest request, String name) {
          return request == null
              ? Collections.emptyIterator()
              : request.fieldValues(name.toLowerCase(Locale.ROOT)).iterator();
        }
      };

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  /** Traces for the tracer provider of an OpenTelemetry, with its propagators. */
  public OpenTelemetryTracing(OpenTelemetry openTelemetry) {
    this.tracer = openTelemetry.getTracer(OpenTelemetryMetrics.SCOPE);
    this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
  }

  /** The span of a call; one that records nothing if the call is not traced. */
  public static Span span(Context context) {
    return Span.fromContext(context(context));
  }

  /** The OpenTelemetry context of a call: its span, and the baggage that came with it. */
  public static io.opentelemetry.context.Context context(Context context) {
    io.opentelemetry.context.Context kept = context.get(KEY);
    return kept == null ? io.opentelemetry.context.Context.root() : kept;
  }

  // ---- The ends of a call: event loop.

  @Override
  public void callStarted(Context call) {
    if (call.get(OWNER) != null) {
      // A second span would take the place of the first, which would never end.
      return;
    }
    call.set(OWNER, this);
    WireRequest request = call.wireRequest();
    io.opentelemetry.context.Context parent = parent(request);
    Span span =
        CallSpan.builder(tracer, call.method().fullName(), call.protocol(), request)
            .setParent(parent)
            .startSpan();
    call.set(KEY, parent.with(span));
  }

  private io.opentelemetry.context.Context parent(WireRequest request) {
    return propagator.extract(io.opentelemetry.context.Context.root(), request, FIELDS);
  }

  @Override
  public void callEnded(CallEnd end) {
    Span span;
    if (end.context() == null) {
      // Refused before it began, of which callStarted is not told.
      span =
          CallSpan.builder(tracer, end.known() ? end.method() : null, end.protocol(), end.request())
              .setParent(parent(end.request()))
              .startSpan();
    } else if (end.context().get(OWNER) == this) {
      span = span(end.context());
    } else {
      return;
    }
    CallSpan.end(span, end);
  }

  // ---- Handlers.

  /** Records what a handler has thrown. */
  static void record(Context call, Throwable fault) {
    // An RpcException is an answer, and what a cancelled handler meets is no fault of its own.
    if (!(fault instanceof RpcException) && !call.isCancelled() && call.get(RECORDED) != fault) {
      call.set(RECORDED, fault);
      span(call).recordException(fault);
    }
  }

  @Override
  public <Q, R> Handler.Unary<Q, R> unary(Method<Q, R> method, Handler.Unary<Q, R> next) {
    return (request, call) -> {
      try (Scope scope = context(call).makeCurrent()) {
        return next.handle(request, call);
      } catch (Throwable t) {
        record(call, t);
        throw t;
      }
    };
  }

  @Override
  public <Q, R> Handler.UnaryBatch<Q, R> unaryBatch(
      Method<Q, R> method, Handler.UnaryBatch<Q, R> next) {
    return (List<Q> requests, List<Context> calls) -> {
      try {
        return next.handle(requests, calls);
      } catch (Throwable t) {
        calls.forEach(call -> record(call, t));
        throw t;
      }
    };
  }

  @Override
  public <Q, R> Handler.Streaming<Q, R> streaming(
      Method<Q, R> method, Handler.Streaming<Q, R> next) {
    return (requests, responses, call) -> {
      try (Scope scope = context(call).makeCurrent()) {
        next.handle(requests, responses, call);
      } catch (Throwable t) {
        record(call, t);
        throw t;
      }
    };
  }

  @Override
  public <Q, R> Handler.EventDriven<Q, R> eventDriven(
      Method<Q, R> method, Handler.EventDriven<Q, R> next) {
    return call -> {
      try (Scope scope = context(call.context()).makeCurrent()) {
        return new TracedListener<>(next.start(call), call.context());
      } catch (Throwable t) {
        record(call.context(), t);
        throw t;
      }
    };
  }
}
