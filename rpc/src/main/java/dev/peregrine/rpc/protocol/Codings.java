package dev.peregrine.rpc.protocol;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.CodecFactory;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.ProtobufCodec;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The codecs and compressors of a server. Any thread, once the server is built. */
final class Codings {

  private final Map<String, Compressor> compressors = new LinkedHashMap<>();
  private final Map<String, CodecFactory> factories = new LinkedHashMap<>();
  private final Map<CodecKey, Codec<?>> made = new ConcurrentHashMap<>();
  private final Set<Descriptor> served = new LinkedHashSet<>();
  private final String acceptList;

  private record CodecKey(Codec<?> own, String name) {}

  Codings(List<Compressor> compressors, List<CodecFactory> factories) {
    compressors.forEach(c -> this.compressors.put(c.wireName(), c));
    factories.forEach(f -> this.factories.put(f.name(), f));
    this.acceptList = String.join(",", this.compressors.keySet());
  }

  /** Notes the type of a method's messages. Only while a server is built. */
  void serves(Codec<?> own) {
    if (own instanceof ProtobufCodec<?> protobuf
        && protobuf.prototype() instanceof Message prototype) {
      served.add(prototype.getDescriptorForType());
    }
  }

  /** The names of all compressors, in order of preference, for an accept field. */
  String acceptList() {
    return acceptList;
  }

  /** The compressors, in order of preference. */
  Iterable<Compressor> compressors() {
    return compressors.values();
  }

  /** The sub-types beside a method's own. */
  Iterable<String> subtypes() {
    return factories.keySet();
  }

  /** The compressor of a name, or {@code null}. */
  Compressor compressor(String name) {
    return compressors.get(name);
  }

  /** The first compressor that an accept field names, or {@code null}. */
  Compressor firstAccepted(String acceptField) {
    for (String item : acceptField.split(",", -1)) {
      int parameter = item.indexOf(';');
      String name = parameter < 0 ? item : item.substring(0, parameter);
      Compressor compressor = compressors.get(name.strip());
      if (compressor != null && (parameter < 0 || !isZero(item.substring(parameter)))) {
        return compressor;
      }
    }
    return null;
  }

  /** RFC 9110, 12.4.2: what has a weight of zero is not accepted. */
  private static boolean isZero(String parameter) {
    return parameter.replace(" ", "").matches(";q=0(\\.0*)?");
  }

  /** The codec for the messages of another one by its name, or {@code null} if there is none. */
  @SuppressWarnings("unchecked") // a codec is put under the key of one for the same messages
  <T> Codec<T> codec(Codec<T> own, String name) {
    if (own.name().equals(name)) {
      return own;
    }
    CodecFactory factory = factories.get(name);
    if (factory == null
        || !(own instanceof ProtobufCodec<?> protobuf)
        || !(protobuf.prototype() instanceof Message prototype)) {
      return null;
    }
    return (Codec<T>)
        made.computeIfAbsent(new CodecKey(own, name), key -> factory.codec(prototype, served));
  }
}
