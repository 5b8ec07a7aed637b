/**
 * Metrics in a Micrometer registry: give {@link dev.peregrine.micrometer.PeregrineMetrics} to the
 * server.
 */
package dev.peregrine.micrometer;
