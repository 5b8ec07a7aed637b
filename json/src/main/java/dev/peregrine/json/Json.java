package dev.peregrine.json;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.CodecFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The JSON mapping of protobuf, by protobuf-java-util. With this module on the path every server
 * reads and writes JSON; give an instance to the server's builder to choose differently. Immutable,
 * any thread.
 *
 * <p>By default unknown fields are refused, as the mapping's specification says, so that a misspelt
 * one is found; {@link #ignoringUnknownFields} serves clients newer than the server, as binary
 * protobuf does. {@code Any} may hold whatever the files declare from which the served methods take
 * their messages, and those which these import.
 */
public final class Json implements CodecFactory {

  private final boolean ignoreUnknownFields;
  private final List<Descriptor> types;

  /** The defaults. */
  public Json() {
    this(false, List.of());
  }

  private Json(boolean ignoreUnknownFields, List<Descriptor> types) {
    this.ignoreUnknownFields = ignoreUnknownFields;
    this.types = types;
  }

  /** The same, but fields that a message does not have are ignored: for clients newer than this. */
  public Json ignoringUnknownFields() {
    return new Json(true, types);
  }

  /** The same, with further message types that {@code Any} may hold. */
  public Json withTypes(Descriptor... more) {
    List<Descriptor> all = new ArrayList<>(types);
    all.addAll(List.of(more));
    return new Json(ignoreUnknownFields, List.copyOf(all));
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public <T extends Message> Codec<T> codec(T prototype) {
    return codec(prototype, List.of());
  }

  @Override
  public <T extends Message> Codec<T> codec(T prototype, Collection<Descriptor> served) {
    // The registry takes in the file of each type, and the files which that imports.
    TypeRegistry registry =
        TypeRegistry.newBuilder()
            .add(prototype.getDescriptorForType())
            .add(types)
            .add(served)
            .build();
    JsonFormat.Parser parser = JsonFormat.parser().usingTypeRegistry(registry);
    JsonFormat.Printer printer =
        JsonFormat.printer().omittingInsignificantWhitespace().usingTypeRegistry(registry);
    return new JsonCodec<>(
        prototype, ignoreUnknownFields ? parser.ignoringUnknownFields() : parser, printer);
  }
}
