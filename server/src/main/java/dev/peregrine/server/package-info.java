/** The server: {@link dev.peregrine.server.Server} and what configures it. */
package dev.peregrine.server;
