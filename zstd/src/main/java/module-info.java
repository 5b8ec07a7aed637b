/** Zstandard for the messages of calls. */
module dev.peregrine.zstd {
  requires transitive dev.peregrine.rpc;
  requires com.github.luben.zstd_jni;

  exports dev.peregrine.zstd;
}
