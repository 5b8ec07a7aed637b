package dev.peregrine.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.Any;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Duration;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.CodecFactory;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON in and out, and what is refused. */
final class JsonTest {

  private static final Codec<FieldDescriptorProto> FIELDS =
      new Json().codec(FieldDescriptorProto.getDefaultInstance());

  private static <T> T decode(Codec<T> codec, String text) throws MalformedMessageException {
    byte[] bytes = ("##" + text + "##").getBytes(UTF_8);
    return codec.decode(bytes, 2, bytes.length - 4);
  }

  @Test
  void aServerFindsItOnThePath() {
    assertTrue(
        ServiceLoader.load(CodecFactory.class).stream()
            .anyMatch(provider -> provider.type().equals(Json.class)));
  }

  @Test
  void writesWhatItReads() throws Exception {
    FieldDescriptorProto field =
        FieldDescriptorProto.newBuilder().setName("größe 🚀").setNumber(7).build();
    byte[] bytes = FIELDS.toBytes(field);
    assertEquals("{\"name\":\"größe 🚀\",\"number\":7}", new String(bytes, UTF_8));
    assertEquals(field, FIELDS.decode(bytes, 0, bytes.length));
  }

  @Test
  void readsBothFieldNameStyles() throws Exception {
    FieldDescriptorProto expected = FieldDescriptorProto.newBuilder().setJsonName("x").build();
    assertEquals(expected, decode(FIELDS, "{\"jsonName\":\"x\"}"));
    assertEquals(expected, decode(FIELDS, "{\"json_name\":\"x\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "nope",
        "{} {}",
        "{}}",
        "{},",
        "{\"name\":\"}\\\"\"} x",
        "{\"number\":\"x\"}",
        "{\"number\":1e99}",
        "{\"nope\":1}",
        "{\"type\":\"NOPE\"}"
      })
  void badTextsAreMalformed(String text) {
    assertThrows(MalformedMessageException.class, () -> decode(FIELDS, text));
  }

  @Test
  void whiteSpaceMayStandAroundTheValue() throws Exception {
    assertEquals(
        FieldDescriptorProto.newBuilder().setName("}\\\"").build(),
        decode(FIELDS, " \t{ \"name\" : \"}\\\\\\\"\" }\r\n "));
    Codec<Value> values = new Json().codec(Value.getDefaultInstance());
    assertEquals(Value.newBuilder().setNumberValue(12).build(), decode(values, " 12 "));
    assertEquals(Value.newBuilder().setStringValue("a b").build(), decode(values, "\"a b\""));
    assertThrows(MalformedMessageException.class, () -> decode(values, "12 13"));
    assertThrows(MalformedMessageException.class, () -> decode(values, "\"a\"\"b\""));
  }

  @Test
  void bytesThatAreNotUtf8AreMalformed() {
    byte[] bytes = {'{', '"', (byte) 0xff, '"', '}'};
    assertThrows(MalformedMessageException.class, () -> FIELDS.decode(bytes, 0, bytes.length));
  }

  /** What is told about a text must not grow with it. */
  @Test
  void theReasonIsShortHoweverLongTheText() {
    String text = "\"" + "\u0001".repeat(1_000_000) + "\"";
    MalformedMessageException e =
        assertThrows(MalformedMessageException.class, () -> decode(FIELDS, text));
    assertTrue(e.getMessage().length() < 300, () -> e.getMessage().length() + " characters");
  }

  @Test
  void deepNestingIsMalformed() {
    Codec<Struct> structs = new Json().codec(Struct.getDefaultInstance());
    String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
    assertThrows(MalformedMessageException.class, () -> decode(structs, deep));
  }

  @Test
  void unknownFieldsAreIgnoredWhenAskedFor() throws Exception {
    Codec<FieldDescriptorProto> lenient =
        new Json().ignoringUnknownFields().codec(FieldDescriptorProto.getDefaultInstance());
    assertEquals(
        FieldDescriptorProto.newBuilder().setNumber(1).build(),
        decode(lenient, "{\"nope\":{\"x\":[]},\"number\":1}"));
  }

  @Test
  void anyHoldsTypesThatAreNamed() throws Exception {
    Any any = Any.pack(Duration.newBuilder().setSeconds(3).build());
    Codec<Any> with =
        new Json().withTypes(Duration.getDescriptor()).codec(Any.getDefaultInstance());
    String text = new String(with.toBytes(any), UTF_8);
    assertEquals(
        "{\"@type\":\"type.googleapis.com/google.protobuf.Duration\",\"value\":\"3s\"}", text);
    assertEquals(any, decode(with, text));
    Any unknown = any.toBuilder().setTypeUrl("type.googleapis.com/no.Such").build();
    RpcException refused = assertThrows(RpcException.class, () -> with.toBytes(unknown));
    assertEquals(Status.Code.INTERNAL, refused.status().code());
  }

  @Test
  void anyHoldsTypesThatAreServed() throws Exception {
    Any any = Any.pack(Duration.newBuilder().setSeconds(3).build());
    Codec<Any> codec =
        new Json().codec(Any.getDefaultInstance(), List.of(Duration.getDescriptor()));
    byte[] bytes = codec.toBytes(any);
    assertEquals(any, codec.decode(bytes, 0, bytes.length));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\":\"x\",\"number\":\"y\"}|number",
        "{\"nope\":1}|nope",
        "{\"options\":{\"packed\":3}}|options.packed",
        "{\"options\":{\"targets\":[\"TARGET_TYPE_FILE\",\"NOPE\"]}}|options.targets[1]",
        "{\"options\":{\"uninterpretedOption\":[{},{\"name\":[{\"isExtension\":1}]}]}}"
            + "|options.uninterpretedOption[1].name[0].isExtension",
      })
  void aFaultIsToldWithItsPlace(String text, String path) {
    MalformedMessageException fault =
        assertThrows(MalformedMessageException.class, () -> decode(FIELDS, text));
    assertTrue(
        fault.getMessage().startsWith("malformed JSON at " + path + ": "), fault::getMessage);
  }

  @FuzzTest(maxDuration = "30s")
  void anyBytesAreAMessageOrMalformed(byte[] bytes) {
    for (Codec<?> codec : new Codec<?>[] {FIELDS, new Json().codec(Value.getDefaultInstance())}) {
      try {
        codec.decode(bytes, 0, bytes.length);
      } catch (MalformedMessageException e) {
        assertTrue(e.getMessage().startsWith("malformed JSON"));
      }
    }
  }
}
