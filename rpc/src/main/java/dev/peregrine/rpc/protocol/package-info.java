/**
 * Internal. Turns streams into calls: routing, protocols, the border between event loops and
 * handler threads. Depends on {@code dev.peregrine.rpc} and {@code dev.peregrine.wire}, never the
 * other way.
 */
package dev.peregrine.rpc.protocol;
