package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.wire.ResponseHead;

/**
 * How the messages of a call are coded each way: negotiated once per header section.
 *
 * @param requestCompressor what undoes compressed requests; {@code null} if none may be compressed
 * @param responseCompressor what may compress responses; {@code null} if none
 * @param responseHead the header section which announces this
 */
record MessageCoding<Q, R>(
    Codec<Q> requestCodec,
    Codec<R> responseCodec,
    Compressor requestCompressor,
    Compressor responseCompressor,
    ResponseHead responseHead) {}
