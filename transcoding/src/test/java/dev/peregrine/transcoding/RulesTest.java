package dev.peregrine.transcoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.api.CustomHttpPattern;
import com.google.api.HttpRule;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.transcoding.probe.All;
import dev.peregrine.transcoding.probe.ProbeOuterClass;
import dev.peregrine.transcoding.probe.ProbeService;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where rules come from, and which of them keep a server from starting. */
final class RulesTest {

  private static final ProbeTable PROBE = new ProbeTable(new Transcoding());

  private static HttpRule.Builder rule() {
    return HttpRule.newBuilder().setSelector("probe.Probe.Get");
  }

  private static String faultOf(HttpRule... rules) {
    Transcoding transcoding = new Transcoding().withRules(rules);
    return assertThrows(IllegalArgumentException.class, () -> new ProbeTable(transcoding))
        .getMessage();
  }

  @Test
  void aMethodWithoutAnAnnotationIsLeftAlone() {
    assertNull(PROBE.match("POST /probe.Probe/NotMapped", "application/json", null));
    assertNull(PROBE.match("GET /v1/other", null, null));
  }

  @Test
  void methodsThatTakeAStreamAreRefusedOnlyWhenTheyAreCalled() {
    HttpMapping.Refused refused =
        assertInstanceOf(
            HttpMapping.Refused.class, PROBE.match("POST /v1/collect", "application/json", null));
    assertEquals(501, refused.httpStatus());
    assertEquals(
        Status.UNIMPLEMENTED.withMessage(
            "probe.Probe/Collect takes a stream of requests; call it by gRPC or Connect"),
        refused.status());
    assertInstanceOf(
        HttpMapping.Refused.class, PROBE.match("POST /v1/chat", "application/json", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST /v1/shelves/1/books/2 | DELETE, GET
          HEAD /v1/query             | GET
          GET /v1/whole/x            | POST
          GET /v1/tags               | PUT
          get /v1/query              | GET
          GET /v1/report             | REPORT
          """)
  void aPathWithOtherMethodsIsRefusedWithTheirNames(String request, String allow) {
    HttpMapping.Refused refused =
        assertInstanceOf(HttpMapping.Refused.class, PROBE.match(request, "application/json", null));
    assertEquals(405, refused.httpStatus());
    assertEquals(allow, refused.allow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          POST /v1/whole/x | -                                 | true
          POST /v1/whole/x | application/json                  | true
          POST /v1/whole/x | Application/JSON; charset=utf-8   | true
          POST /v1/whole/x | application/x-www-form-urlencoded | false
          POST /v1/whole/x | text/plain                        | false
          POST /v1/whole/x | application/jsonx                 | false
          POST /v1/none    | text/plain                        | true
          GET /v1/query    | text/plain                        | true
          """)
  void contentThatIsReadMustBeJson(String request, String contentType, boolean taken) {
    HttpMapping.Match match = PROBE.match(request, contentType, null);
    if (taken) {
      assertInstanceOf(HttpMapping.Found.class, match);
    } else {
      assertEquals(415, assertInstanceOf(HttpMapping.Refused.class, match).httpStatus());
    }
  }

  @Test
  void givenRulesReplaceTheAnnotation() {
    ProbeTable table =
        new ProbeTable(
            new Transcoding()
                .withRules(
                    rule().setGet("/v2/{name}").build(),
                    rule().setPut("/v2/{name}").setBody("*").build(),
                    HttpRule.newBuilder()
                        .setSelector("probe.Probe.NotMapped")
                        .setGet("/v2/other")
                        .build()));
    assertEquals("{\"name\":\"x\"}", table.message("GET /v2/x", ""));
    assertEquals("{\"name\":\"x\",\"i32\":1}", table.message("PUT /v2/x", "{\"i32\":1}"));
    assertEquals("{}", table.message("GET /v2/other", ""));
    assertNull(table.match("GET /v1/alt/x", null, null));
    assertEquals("{\"i32\":1}", table.message("GET /v1/query?i32=1", ""));
  }

  @Test
  void annotationsAreFoundThoughTheDescriptorDoesNotKnowThem() throws Exception {
    FileDescriptor known = ProbeOuterClass.getDescriptor();
    FileDescriptor file =
        FileDescriptor.buildFrom(
            FileDescriptorProto.parseFrom(known.toProto().toByteString()),
            known.getDependencies().toArray(new FileDescriptor[0]));
    HttpMapping.Table table =
        new Transcoding()
            .map(
                List.of(
                    ServiceDefinition.of("probe.Probe", () -> file)
                        .unary(ProbeService.QUERY, (request, context) -> request)));
    assertInstanceOf(HttpMapping.Found.class, table.match("GET", "/v1/query", null, null));
  }

  @Test
  void servicesWithoutADescriptorAreLeftAlone() {
    HttpMapping.Table table =
        new Transcoding()
            .map(
                List.of(
                    ServiceDefinition.of("probe.Probe")
                        .unary(ProbeService.QUERY, (request, context) -> request),
                    ServiceDefinition.of("other.Name", ProbeOuterClass::getDescriptor)));
    assertNull(table.match("GET", "/v1/query", null, null));
  }

  /** Messages of a method that are no protobuf classes, but are encoded as protobuf. */
  private static final Codec<String> NAMES =
      new Codec<>() {
        @Override
        public String name() {
          return "proto";
        }

        @Override
        public int size(String name) {
          return all(name).getSerializedSize();
        }

        @Override
        public void encode(String name, byte[] target, int offset) {
          byte[] bytes = all(name).toByteArray();
          System.arraycopy(bytes, 0, target, offset, bytes.length);
        }

        @Override
        public String decode(byte[] source, int offset, int length) {
          try {
            return All.parser().parseFrom(source, offset, length).getName();
          } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
          }
        }

        private All all(String name) {
          return All.newBuilder().setName(name).build();
        }
      };

  @Test
  @SuppressWarnings("unchecked") // the only method of the table
  void methodsWithMessagesOfAnotherKindAreMappedToo() throws Exception {
    Method<String, String> method = Method.of("probe.Probe/Get", Method.Kind.UNARY, NAMES, NAMES);
    HttpMapping.Table table =
        new Transcoding()
            .map(
                List.of(
                    ServiceDefinition.of("probe.Probe", ProbeOuterClass::getDescriptor)
                        .unary(method, (request, context) -> request)));
    HttpMapping.Found<String, String> found =
        (HttpMapping.Found<String, String>)
            table.match("GET", "/v1/alt/x?color=RED&child.i32=1&ttl=1s&left=y", null, null);
    assertEquals("x", found.requestCodec().decode(new byte[0], 0, 0));
    assertEquals(
        "{\"name\":\"y\"}", new String(found.responseCodec().toBytes("y"), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /{nope}          | /{nope}: nope is not a field of probe.All with one value
          /{child.nope}    | /{child.nope}: child.nope is not a field of probe.All with one value
          /{child}         | /{child}: child is not a field of probe.All with one value
          /{tags}          | /{tags}: tags is not a field of probe.All with one value
          /{labels}        | /{labels}: labels is not a field of probe.All with one value
          /{detail}        | /{detail}: detail is not a field of probe.All with one value
          x                | "x" is not a path template: it does not begin with a slash
          """)
  void aVariableThatIsNoFieldKeepsTheServerFromStarting(String template, String why) {
    assertEquals(
        "the google.api.http rule of probe.Probe/Get: " + why,
        faultOf(rule().setGet(template).build()));
  }

  @Test
  void partsThatAreNoFieldsKeepTheServerFromStarting() {
    String prefix = "the google.api.http rule of probe.Probe/Get: ";
    assertEquals(
        prefix + "/x: the body child.name is not a field of probe.All",
        faultOf(rule().setPost("/x").setBody("child.name").build()));
    assertEquals(
        prefix + "/x: the response_body nope is not a field of probe.All",
        faultOf(rule().setPost("/x").setResponseBody("nope").build()));
    assertEquals(prefix + "the rule has no path", faultOf(rule().build()));
    assertEquals(
        prefix + "\"\" is not a path template: it does not begin with a slash",
        faultOf(rule().setCustom(CustomHttpPattern.newBuilder().setKind("X")).build()));
  }

  @Test
  void aRuleForAMethodThatIsNotServedKeepsTheServerFromStarting() {
    assertEquals(
        "no service with a descriptor has the method of a rule: probe.Probe.Gett",
        faultOf(HttpRule.newBuilder().setSelector("probe.Probe.Gett").setGet("/x").build()));
  }

  @Test
  void twoMethodsForTheSameRequestsKeepTheServerFromStarting() {
    assertEquals(
        "the google.api.http rule of probe.Probe/Query: the same requests mean two methods:"
            + " GET /v1/query/{name} of probe.Probe/Get"
            + " and GET /v1/query/{child.name} of probe.Probe/Query",
        faultOf(rule().setGet("/v1/query/{name}").build()));
  }
}
