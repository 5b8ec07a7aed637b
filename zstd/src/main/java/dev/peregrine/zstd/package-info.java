/** Zstandard: give {@link dev.peregrine.zstd.Zstandard} to the server's builder. */
package dev.peregrine.zstd;
