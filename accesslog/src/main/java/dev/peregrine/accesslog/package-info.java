/**
 * A line for each call and request: give an {@link dev.peregrine.accesslog.AccessLog} to the
 * server.
 */
package dev.peregrine.accesslog;
