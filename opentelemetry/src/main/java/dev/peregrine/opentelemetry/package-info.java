/**
 * Metrics and traces: {@link dev.peregrine.opentelemetry.OpenTelemetryMetrics} is an observer,
 * {@link dev.peregrine.opentelemetry.OpenTelemetryTracing} an interceptor of a server.
 */
package dev.peregrine.opentelemetry;
