package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.JavaFeaturesProto;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.io.IOException;

/**
 * Main thread only. The protoc plugin: a {@code CodeGeneratorRequest} on standard input, a {@code
 * CodeGeneratorResponse} on standard output (plugin.proto).
 */
public final class ProtocGenPeregrine {

  private static final int EXIT_USAGE = 2;
  private static final int EXIT_BAD_REQUEST = 1;

  private ProtocGenPeregrine() {}

  /**
   * Answers one request and exits.
   *
   * @param args none: protoc passes nothing
   * @throws IOException if standard output is closed
   */
  public static void main(String[] args) throws IOException {
    if (args.length > 0) {
      System.err.println(
          "protoc-gen-peregrine is started by protoc and takes no arguments: protoc"
              + " --plugin=protoc-gen-peregrine --java_out=DIR --peregrine_out=DIR FILE.proto");
      System.exit(EXIT_USAGE);
    }
    // Without the registry the Java features of editions would be unknown fields. And
    // JavaFeaturesProto, initialized before DescriptorProtos, fails in the class initializer.
    DescriptorProtos.getDescriptor();
    ExtensionRegistry registry = ExtensionRegistry.newInstance();
    JavaFeaturesProto.registerAllExtensions(registry);
    CodeGeneratorRequest request;
    try {
      request = CodeGeneratorRequest.parseFrom(System.in, registry);
    } catch (IOException e) {
      System.err.println("protoc-gen-peregrine: no CodeGeneratorRequest on standard input: " + e);
      System.exit(EXIT_BAD_REQUEST);
      return;
    }
    Generator.generate(request).writeTo(System.out);
    System.out.flush();
  }
}
