/**
 * Internal. The vocabulary that protocol engines (HTTP/2, HTTP/1.1, HTTP/3, DRPC) and the call
 * layer share. Everything here is loop-confined: it is used by one event loop at a time and takes
 * no lock.
 */
package dev.peregrine.wire;
