package dev.peregrine.explorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.peregrine.explorer.zoo.Animal;
import dev.peregrine.explorer.zoo.KeeperService;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The document that the page gets, read by the JSON parser of protobuf. */
class SchemaTest {

  private static final class Keeper implements KeeperService {}

  private Struct document;

  @BeforeEach
  void write() throws Exception {
    document = parse(Schema.of(List.of(new Keeper().definition())));
  }

  private static Struct parse(String json) throws Exception {
    Struct.Builder document = Struct.newBuilder();
    JsonFormat.parser().merge(json, document);
    return document.build();
  }

  private static Struct object(Struct in, String key) {
    return in.getFieldsOrThrow(key).getStructValue();
  }

  private static String text(Struct in, String key) {
    return in.getFieldsOrThrow(key).getStringValue();
  }

  private static Struct find(Struct in, String list, String name) {
    return in.getFieldsOrThrow(list).getListValue().getValuesList().stream()
        .map(Value::getStructValue)
        .filter(one -> text(one, "name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Struct field(String name) {
    return find(object(object(document, "messages"), "zoo.Animal"), "fields", name);
  }

  private static String json(Struct object) throws Exception {
    return JsonFormat.printer().omittingInsignificantWhitespace().sortingMapKeys().print(object);
  }

  @Test
  void aServiceHasItsNameItsFileItsCommentAndItsMethods() {
    Struct service = find(document, "services", "zoo.Keeper");
    assertEquals("zoo/zoo.proto", text(service, "file"));
    assertEquals(
        "Keeps animals.\n\n</script><script>alert(1)</script> & <!-- more -->",
        text(service, "comment"));
    assertEquals(4, service.getFieldsOrThrow("methods").getListValue().getValuesCount());
  }

  @Test
  void aMethodSaysHowItIsCalledWithWhat() throws Exception {
    Struct service = find(document, "services", "zoo.Keeper");
    assertEquals(
        "{\"comment\":\"Feeds one.\",\"kind\":\"unary\",\"name\":\"Feed\",\"noSideEffects\":true,"
            + "\"request\":\"zoo.Animal\",\"response\":\"zoo.Animal\"}",
        json(find(service, "methods", "Feed")));
    assertEquals("server_streaming", text(find(service, "methods", "Watch"), "kind"));
    assertEquals("client_streaming", text(find(service, "methods", "Count"), "kind"));
    Struct talk = find(service, "methods", "Talk");
    assertEquals("bidi_streaming", text(talk, "kind"));
    assertEquals(true, talk.getFieldsOrThrow("deprecated").getBoolValue());
  }

  @Test
  void fieldsOfEveryShapeSayTheirShape() throws Exception {
    assertEquals(
        "{\"comment\":\"What it is called.\",\"json\":\"givenName\",\"name\":\"given_name\","
            + "\"type\":\"string\"}",
        json(field("given_name")));
    assertEquals(
        "{\"json\":\"weight\",\"name\":\"weight\",\"optional\":true,\"type\":\"int64\"}",
        json(field("weight")));
    assertEquals(
        "{\"json\":\"kinds\",\"name\":\"kinds\",\"ref\":\"zoo.Kind\",\"repeated\":true,"
            + "\"type\":\"enum\"}",
        json(field("kinds")));
    assertEquals(
        "{\"json\":\"young\",\"map\":\"string\",\"name\":\"young\",\"ref\":\"zoo.Animal\","
            + "\"type\":\"message\"}",
        json(field("young")));
    assertEquals(
        "{\"json\":\"cage\",\"name\":\"cage\",\"oneof\":\"home\",\"type\":\"bytes\"}",
        json(field("cage")));
    assertEquals("zoo.Animal.Place", text(field("place"), "ref"));
  }

  @Test
  void oneofsEnumsAndTheirValuesKeepTheirComments() throws Exception {
    Struct animal = object(object(document, "messages"), "zoo.Animal");
    assertEquals("Eats.", text(animal, "comment"));
    assertEquals("{\"home\":{\"comment\":\"Where it lives.\"}}", json(object(animal, "oneofs")));
    Struct kind = object(object(document, "enums"), "zoo.Kind");
    assertEquals("By class.", text(kind, "comment"));
    assertEquals(
        "{\"comment\":\"With wings.\",\"name\":\"KIND_BIRD\",\"number\":1}",
        json(find(kind, "values", "KIND_BIRD")).replace("1.0", "1"));
  }

  @Test
  void everyMessageThatMethodsLeadToIsThereOnce() {
    assertEquals(
        Set.of(
            "zoo.Animal",
            "zoo.Animal.Place",
            "google.protobuf.Timestamp",
            "google.protobuf.BoolValue"),
        object(document, "messages").getFieldsMap().keySet());
  }

  @Test
  void aServiceWithoutADescriptorIsListedWithTheMessagesOfItsMethods() throws Exception {
    Method<Animal, Animal> method =
        Method.unary("a.B/C", Animal.getDefaultInstance(), Animal.getDefaultInstance());
    Struct alone =
        parse(
            Schema.of(
                List.of(ServiceDefinition.of("a.B").unary(method, (request, context) -> request))));
    Struct service = find(alone, "services", "a.B");
    assertFalse(service.containsFields("file"));
    assertEquals("zoo.Animal", text(find(service, "methods", "C"), "request"));
  }

  @Test
  void nothingInItCanEndTheScriptItStandsIn() {
    String json = Schema.of(List.of(new Keeper().definition()));
    for (String dangerous : List.of("<", ">", "&", "\u2028", "\u2029")) {
      assertFalse(json.contains(dangerous), dangerous);
    }
  }

  @Test
  void anyStringIsReadAsItWasWritten() throws Exception {
    String all = "\"\\\b\f\n\r\t\0\u007f\u0085</script>&\u2028\u2029Ünïcödé 👋";
    assertEquals(all, text(parse(JsonText.of(java.util.Map.of("all", all))), "all"));
  }
}
