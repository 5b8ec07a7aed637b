/** Internal. HPACK: header compression for HTTP/2 (RFC 7541). Loop-confined. */
package dev.peregrine.wire.hpack;
