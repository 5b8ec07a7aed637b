package dev.peregrine.conformance.interop;

import dev.peregrine.conformance.interop.orca.OpenRcaService;
import dev.peregrine.conformance.interop.orca.OrcaLoadReport;
import dev.peregrine.conformance.interop.orca.OrcaLoadReportRequest;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.TestOrcaReport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The load that clients have told the server to report outside of calls (gRFC A51), and the service
 * that reports it. Any thread.
 */
final class LoadReports implements Service {

  /** The tests ask for a second; nobody needs more than ten reports in one. */
  private static final long MIN_INTERVAL_MILLIS = 100;

  private volatile OrcaLoadReport latest = OrcaLoadReport.getDefaultInstance();

  @Override
  public ServiceDefinition definition() {
    return new OpenRcaService() {}.definition()
        .eventDriven(OpenRcaService.STREAM_CORE_METRICS, this::start);
  }

  private CallListener<OrcaLoadReportRequest> start(Call<OrcaLoadReport> call) {
    return request ->
        report(
            call,
            Math.max(
                MIN_INTERVAL_MILLIS,
                TimeUnit.SECONDS.toMillis(request.getReportInterval().getSeconds())));
  }

  private void report(Call<OrcaLoadReport> call, long intervalMillis) {
    if (call.context().isCancelled()) {
      return;
    }
    // A client that does not take reports needs no more of them.
    if (call.ready()) {
      call.send(latest);
    }
    CompletableFuture.delayedExecutor(intervalMillis, TimeUnit.MILLISECONDS)
        .execute(() -> report(call, intervalMillis));
  }

  /** Takes over what a request says is to be reported outside of calls. */
  void take(StreamingOutputCallRequest request) {
    if (request.hasOrcaOobReport()) {
      latest = report(request.getOrcaOobReport());
    }
  }

  /** A report as it goes on the wire. */
  static OrcaLoadReport report(TestOrcaReport wanted) {
    return OrcaLoadReport.newBuilder()
        .setCpuUtilization(wanted.getCpuUtilization())
        .setMemUtilization(wanted.getMemoryUtilization())
        .putAllRequestCost(wanted.getRequestCostMap())
        .putAllUtilization(wanted.getUtilizationMap())
        .build();
  }
}
