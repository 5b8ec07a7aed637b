package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ProtobufCodec;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the real protoc with the plugin over {@code src/test/golden/proto} and compares with {@code
 * src/test/golden/java}, which {@code mvn -pl protoc -am verify -Dgolden.update=true} writes anew.
 */
class GoldenTest {

  private static final Path EXPECTED = Path.of("src/test/golden/java");

  @TempDir static Path directory;
  private static Path services;
  private static Path messages;

  @BeforeAll
  static void generate() throws Exception {
    services = Files.createDirectories(directory.resolve("services"));
    messages = Files.createDirectories(directory.resolve("messages"));
    Protoc.Result result =
        Protoc.run(
            Protoc.PROTOS,
            List.of(
                "--plugin=protoc-gen-peregrine=" + Protoc.plugin(directory),
                "--java_out=" + messages,
                "--peregrine_out=" + services),
            Protoc.protosBelow(Protoc.PROTOS));
    assertEquals(0, result.exitCode(), result.output());
    if (Boolean.getBoolean("golden.update")) {
      update();
    }
  }

  private static void update() throws IOException {
    for (String name : Protoc.namesBelow(EXPECTED, ".java")) {
      Files.delete(EXPECTED.resolve(name));
    }
    for (Map.Entry<String, String> file : sourcesBelow(services).entrySet()) {
      Path target = EXPECTED.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
  }

  private static Map<String, String> sourcesBelow(Path root) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (String name : Protoc.namesBelow(root, ".java")) {
      sources.put(name, Files.readString(root.resolve(name)));
    }
    return sources;
  }

  @Test
  void generatesExactlyTheGoldenFiles() throws IOException {
    Map<String, String> expected = sourcesBelow(EXPECTED);
    Map<String, String> actual = sourcesBelow(services);
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach((name, text) -> assertEquals(text, actual.get(name), name));
  }

  @Test
  void eightMethodsOfEveryShapeTakeAtMostSeventyLines() throws IOException {
    Path service = services.resolve("golden/integration/MeasurementService.java");
    long lines = Files.readString(service).lines().count();
    assertTrue(lines <= 70, lines + " lines");
  }

  @Test
  void everyInterfaceCompilesWithoutAWarningAndDefinesWhatTheProtoDeclares() throws Exception {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Javac.compile(messages, classes, List.of("-nowarn", "-proc:none"));
    String warnings = Javac.compile(services, classes, Javac.STRICT);
    assertEquals("", warnings);

    Path users = Files.createDirectories(directory.resolve("users"));
    Files.writeString(users.resolve("Users.java"), userOfAllServices());
    Javac.compile(users, classes, List.of("-nowarn", "-proc:none"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      @SuppressWarnings("unchecked") // the source is in userOfAllServices()
      Supplier<List<Service>> user =
          (Supplier<List<Service>>)
              loader.loadClass("Users").getDeclaredConstructor().newInstance();
      for (Service service : user.get()) {
        checkDefinition(service.definition());
      }
    }
  }

  private static String userOfAllServices() throws IOException {
    StringJoiner instances = new StringJoiner("() {},\n new ", "new ", "() {}");
    for (String name : Protoc.namesBelow(services, ".java")) {
      if (name.endsWith("Comments.java")) {
        continue;
      }
      instances.add(name.substring(0, name.length() - ".java".length()).replace('/', '.'));
    }
    return """
        import dev.peregrine.rpc.Service;
        import java.util.List;
        public class Users implements java.util.function.Supplier<List<Service>> {
          public List<Service> get() { return List.of(%s); }
        }
        """
        .formatted(instances);
  }

  private static void checkDefinition(ServiceDefinition definition) {
    ServiceDescriptor declared =
        definition.descriptor().orElseThrow().getServices().stream()
            .filter(service -> service.getFullName().equals(definition.name()))
            .findFirst()
            .orElseThrow();
    List<ServiceDefinition.Binding<?, ?>> bindings = List.copyOf(definition.bindings());
    assertEquals(declared.getMethods().size(), bindings.size(), definition.name());
    for (MethodDescriptor expected : declared.getMethods()) {
      Method<?, ?> actual = bindings.get(expected.getIndex()).method();
      assertEquals(expected.getName(), actual.name());
      assertEquals(expected.isClientStreaming(), actual.kind().streamsRequests());
      assertEquals(expected.isServerStreaming(), actual.kind().streamsResponses());
      assertSame(expected.getInputType(), descriptor(actual.requestCodec()));
      assertSame(expected.getOutputType(), descriptor(actual.responseCodec()));
      assertEquals(
          expected.getOptions().getIdempotencyLevel() == IdempotencyLevel.NO_SIDE_EFFECTS,
          actual.noSideEffects());
    }
  }

  private static Descriptor descriptor(Codec<?> codec) {
    return ((Message) ((ProtobufCodec<?>) codec).prototype()).getDescriptorForType();
  }
}
