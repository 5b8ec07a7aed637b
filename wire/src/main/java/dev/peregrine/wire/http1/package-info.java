/** Internal. HTTP/1.1, server side (RFC 9112). */
package dev.peregrine.wire.http1;
