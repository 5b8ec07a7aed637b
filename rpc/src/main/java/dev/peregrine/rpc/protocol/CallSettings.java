package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.CodecFactory;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Cors;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * What holds for every service of a server.
 *
 * @param interceptors outermost first
 * @param compressors in order of preference
 * @param cors which pages of other origins may call; {@code null} for none
 */
public record CallSettings(
    Limits limits,
    List<Interceptor> interceptors,
    List<ServerObserver> observers,
    List<Compressor> compressors,
    List<CodecFactory> codecs,
    Cors cors) {

  /** The defaults: gzip and deflate, and the codecs found on the class or module path. */
  public static CallSettings defaults() {
    List<CodecFactory> codecs = new ArrayList<>();
    ServiceLoader.load(CodecFactory.class, CallSettings.class.getClassLoader())
        .forEach(codecs::add);
    return new CallSettings(
        Limits.DEFAULTS,
        List.of(),
        List.of(),
        List.of(Compressor.gzip(), Compressor.deflate()),
        codecs,
        null);
  }

  /** The same with other limits. */
  public CallSettings withLimits(Limits other) {
    return new CallSettings(other, interceptors, observers, compressors, codecs, cors);
  }

  /** The same with other rules for pages of other origins. */
  public CallSettings withCors(Cors other) {
    return new CallSettings(limits, interceptors, observers, compressors, codecs, other);
  }
}
