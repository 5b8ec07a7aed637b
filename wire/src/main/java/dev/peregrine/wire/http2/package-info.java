/** Internal. The HTTP/2 engine (RFC 9113), server side, without I/O. Loop-confined. */
package dev.peregrine.wire.http2;
