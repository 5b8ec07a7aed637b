/** Metrics by gRFC A66 and traces, through the OpenTelemetry API. */
module dev.peregrine.opentelemetry {
  requires transitive dev.peregrine.rpc;
  requires transitive io.opentelemetry.api;
  requires transitive io.opentelemetry.context;

  exports dev.peregrine.opentelemetry;
}
