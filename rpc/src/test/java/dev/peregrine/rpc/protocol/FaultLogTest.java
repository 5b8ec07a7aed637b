package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes wrong thousands of times a second must not fill the disk. */
class FaultLogTest {

  private static final int TIMES = 500;

  /** The first ten, one for each second this may take, and some for a slow machine. */
  private static final int MOST_LINES = 60;

  @Test
  void aHandlerThatAlwaysFailsIsNamedAFewTimes() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(
                    Calls.CALL,
                    (StringValue request, dev.peregrine.rpc.Context context) -> {
                      throw new IllegalStateException("always");
                    }),
        Execution.inline());
    FakeLoop loop = new FakeLoop();
    Router router = new Router(routes, loop, null);
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < TIMES; i++) {
        FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
        new Exchange(loop, router, stream, RequestParts.headers(), false)
            .data(RequestParts.message("you"), true);
      }
      int lines = log.records().size();
      assertTrue(lines >= 10 && lines < MOST_LINES, () -> lines + " lines");
    }
  }

  @Test
  void anObserverThatAlwaysFailsIsNamedAFewTimesAndKeepsNothingFromOthers() {
    List<CallEnd> heard = new ArrayList<>();
    ServerObserver failing =
        new ServerObserver() {
          @Override
          public void callEnded(CallEnd end) {
            throw new IllegalStateException("always");
          }
        };
    ServerObserver hearing =
        new ServerObserver() {
          @Override
          public void callEnded(CallEnd end) {
            heard.add(end);
          }
        };
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < TIMES; i++) {
        Observers.tell(List.of(failing, hearing), ServerObserver::callEnded, null);
      }
      int lines = log.records().size();
      assertTrue(lines >= 10 && lines < MOST_LINES, () -> lines + " lines");
    }
    assertEquals(TIMES, heard.size());
  }

  /** Fails by an error, which is no exception. */
  private static final class Broken implements ServerLifecycle {
    @Override
    public void onStop() {
      throw new NoClassDefFoundError("gone");
    }

    @Override
    public void onDrain() {
      throw new NoClassDefFoundError("gone");
    }
  }

  @Test
  void anErrorOfOneServiceKeepsNoOtherFromStopping() {
    List<String> told = new ArrayList<>();
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.tell(new Broken());
    routes.tell(
        new ServerLifecycle() {
          @Override
          public void onStop() {
            told.add("stopped");
          }
        });
    try (LogCapture log = new LogCapture()) {
      routes.draining();
      routes.close();
      assertEquals(2, log.records().size());
    }
    assertEquals(List.of("stopped"), told);
  }
}
