package dev.peregrine.transcoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.transcoding.probe.All;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Annotated methods, requests, and the messages these mean. */
final class RequestMappingTest {

  private static final ProbeTable PROBE = new ProbeTable(new Transcoding());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /v1/shelves/1/books/2            | {"name":"shelves/1/books/2"}
          GET /v1/shelves/a%20b/books/%C3%BC   | {"name":"shelves/a b/books/ü"}
          GET /v1/shelves/a%2Fb/books/%2f+     | {"name":"shelves/a%2Fb/books/%2f+"}
          GET /v1/alt/a%2Fb%25+c               | {"name":"a/b%+c"}
          GET /v1/shelves/own/books/3          | {"name":"3"}
          GET /v1/nested/n/-7                  | {"i32":-7,"child":{"name":"n"}}
          GET /v1/typed/RED/aGk/2020-01-02T03:04:05Z/true | {"isSet":true,"rawData":"aGk=","color":"RED","createTime":"2020-01-02T03:04:05Z"}
          GET /v1/typed/2/aGk=/2020-01-02T03%3A04%3A05Z/false | {"rawData":"aGk=","color":"GREEN","createTime":"2020-01-02T03:04:05Z"}
          GET /v1/files                        | {}
          GET /v1/files/a/b%2Fc                | {"name":"a/b%2Fc"}
          GET /v1/files/a/b:meta               | {"name":"a/b"}
          GET /v1/rooms/1/2                    | {"name":"rooms/1/2"}
          GET /v1/pair/a/1/b/2                 | {"name":"a/1","left":"b/2"}
          GET /v1/shelves/1/books/2?i32=5      | {"name":"shelves/1/books/2","i32":5}
          GET /                                | {}
          REPORT /v1/report                    | {}
          PURGE /v1/any/x                      | {"name":"x"}
          """)
  void pathsBecomeFields(String request, String expected) {
    assertEquals(expected, PROBE.message(request, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          big_number=-9007199254740993         | {"bigNumber":"-9007199254740993"}
          bigNumber=1                          | {"bigNumber":"1"}
          u32=4294967295&u64=18446744073709551615 | {"u32":4294967295,"u64":"18446744073709551615"}
          ratio=-1.5e3&weight=NaN              | {"ratio":-1500.0,"weight":"NaN"}
          ratio=-Infinity                      | {"ratio":"-Infinity"}
          is_set=true                          | {"isSet":true}
          rawData=-_-_                         | {"rawData":"+/+/"}
          raw_data=%2B%2F%2B%2FAA%3D%3D        | {"rawData":"+/+/AA=="}
          color=GREEN                          | {"color":"GREEN"}
          color=2                              | {"color":"GREEN"}
          color=7                              | {"color":7}
          colors=RED&colors=2                  | {"colors":["RED","GREEN"]}
          tags=a&tags=b+c%26&tags              | {"tags":["a","b c\\u0026",""]}
          numbers=1&i32=3&numbers=2            | {"i32":3,"numbers":[1,2]}
          child.name=x&child.child.i32=1       | {"child":{"name":"x","child":{"i32":1}}}
          child.bigNumber=1&child.raw_data=AA  | {"child":{"bigNumber":"1","rawData":"AA=="}}
          child.tags=a&child.tags=b            | {"child":{"tags":["a","b"]}}
          create_time=2020-01-02T03:04:05.5Z   | {"createTime":"2020-01-02T03:04:05.500Z"}
          createTime=2020-01-02T03:04:05%2B01:00 | {"createTime":"2020-01-02T02:04:05Z"}
          createTime.seconds=1                 | {"createTime":"1970-01-01T00:00:01Z"}
          times=1970-01-01T00:00:01Z&times=1970-01-01T00:00:02Z | {"times":["1970-01-01T00:00:01Z","1970-01-01T00:00:02Z"]}
          ttl=1.5s                             | {"ttl":"1.500s"}
          updateMask=name,bigNumber            | {"updateMask":"name,bigNumber"}
          update_mask=big_number               | {"updateMask":"bigNumber"}
          note=hi&count=5&flag=false&blob=AA   | {"note":"hi","count":"5","flag":false,"blob":"AA=="}
          note=                                | {"note":""}
          attributes=%7B%22a%22:[1]%7D         | {"attributes":{"a":[1.0]}}
          anything=true                        | {"anything":true}
          list=[1]                             | {"list":[1.0]}
          left=x                               | {"left":"x"}
          right.name=x&right.i32=1             | {"right":{"name":"x","i32":1}}
          maybe=0                              | {"maybe":0}
          zigzag=-1&fixed=1                    | {"zigzag":"-1","fixed":"1"}
          name=%F0%9F%9A%80                    | {"name":"🚀"}
          &&name=x&                            | {"name":"x"}
          """)
  void queryParametersBecomeFields(String query, String expected) {
    assertEquals(expected, PROBE.message("GET /v1/query?" + query, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nope=1               | nope: probe.All has no such field
          child.nope=1         | child.nope: probe.All has no such field
          children.name=x      | children.name: probe.All has no such field
          child..name=x        | child..name: probe.All has no such field
          =1                   | : probe.All has no such field
          name.x=1             | name.x: probe.All has no such field
          i32=x                | i32: the value is not an int32
          i32=2147483648       | i32: the value is not an int32
          i32=                 | i32: the value is not an int32
          u32=-1               | u32: the value is not a uint32
          bigNumber=1.5        | big_number: the value is not an int64
          ratio=1e999          | ratio: the value is not a double
          ratio=0x1p3          | ratio: the value is not a double
          weight=1e39          | weight: the value is not a float
          child.is_set=yes     | child.is_set: the value is not a bool
          rawData=a%20b        | raw_data: the value is not base64
          color=BLUE           | color: the value is not a name or number of probe.Color
          create_time=today    | create_time: the value is not a google.protobuf.Timestamp
          ttl=1h               | ttl: the value is not a google.protobuf.Duration
          count=x              | count: the value is not an int64
          attributes=x         | attributes: the value is not a google.protobuf.Struct
          attributes={}{}      | attributes: the value is not a google.protobuf.Struct
          anything={           | anything: the value is not a google.protobuf.Value
          list=[1],2           | list: the value is not a google.protobuf.ListValue
          child=x              | child: a probe.All is not one value; name one of its fields
          children=x           | children: a probe.All is not one value; name one of its fields
          detail=x             | detail: a google.protobuf.Any is not one value; name one of its fields
          labels=x             | labels: a map is not one value
          i32=1&i32=2          | i32: given twice
          bigNumber=1&big_number=1 | big_number: given twice
          left=x&right.name=y  | right.name: cannot be given beside left
          """)
  void whatFitsNoFieldIsRefusedWithItsPath(String query, String expected) {
    assertEquals(
        "malformed: query parameter " + expected, PROBE.message("GET /v1/query?" + query, ""));
  }

  @Test
  void fieldsOfThePathAreNoQueryParameters() {
    assertEquals(
        "malformed: query parameter child.name: the field is set by the path or the content",
        PROBE.message("GET /v1/query/x?child.name=y", ""));
    assertEquals(
        "{\"i32\":1,\"child\":{\"name\":\"x\",\"i32\":2}}",
        PROBE.message("GET /v1/query/x?child.i32=2&i32=1", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET /v1/nested/n/x          | path variable i32: the value is not an int32
          GET /v1/typed/X/AA/2020-01-02T03:04:05Z/true | path variable color: the value is not a name or number of probe.Color
          GET /v1/alt/%FF             | path variable the target is not UTF-8
          GET /v1/alt/%2              | path variable a percent sign of the target is no escape
          GET /v1/alt/%zz             | path variable a percent sign of the target is no escape
          GET /v1/query?name=%C3      | the target is not UTF-8
          GET /v1/query?na%=x         | a percent sign of the target is no escape
          """)
  void malformedTargetsAreRefused(String request, String expected) {
    assertEquals("malformed: " + expected, PROBE.message(request, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST /v1/whole/n    | {"i32":1,"big_number":2}      | {"name":"n","i32":1,"bigNumber":"2"}
          POST /v1/whole/n    | {"name":"of the content"}     | {"name":"n"}
          POST /v1/whole/n    | ''                            | {"name":"n"}
          POST /v1/child/n    | {"i32":1,"child":{}}          | {"name":"n","child":{"i32":1,"child":{}}}
          POST /v1/child/n?i32=3&child.i32=1 | {}             | malformed: query parameter child.i32: the field is set by the path or the content
          POST /v1/child/n?i32=3 | {"name":"c"}               | {"name":"n","i32":3,"child":{"name":"c"}}
          PATCH /v1/shelves/1 | {"name":"x","i32":1}          | {"child":{"name":"shelves/1","i32":1}}
          PUT /v1/tags        | ["a","b"]                     | {"tags":["a","b"]}
          PUT /v1/tags?i32=1  | []                            | {"i32":1}
          PUT /v1/children    | [{"name":"a"},{}]             | {"children":[{"name":"a"},{}]}
          PUT /v1/number      | 5                             | {"i32":5}
          PUT /v1/color       | "RED"                         | {"color":"RED"}
          PUT /v1/labels      | {"a":"b"}                     | {"labels":{"a":"b"}}
          PUT /v1/attributes  | {"a":{"b":null}}              | {"attributes":{"a":{"b":null}}}
          PUT /v1/big         | "12345678901"                 | {"bigNumber":"12345678901"}
          PUT /v1/time        | "2020-01-02T03:04:05Z"        | {"createTime":"2020-01-02T03:04:05Z"}
          POST /v1/none?i32=1 | {"ignored":1}                 | {"i32":1}
          PUT /v1/number      | 5,"name":"x"                  | malformed: malformed JSON: more than one value
          POST /v1/shelves/1/books/2:publish | {"isSet":true} | {"name":"shelves/1/books/2","isSet":true}
          PURGE /v1/any/x?i32=1 | ''                          | {"name":"x","i32":1}
          """)
  void contentBecomesTheBodyOfTheRule(String request, String content, String expected) {
    assertEquals(expected, PROBE.message(request, content));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST /v1/whole/n    | {"nope":1}
          POST /v1/whole/n    | []
          POST /v1/whole/n    | {
          POST /v1/child/n    | "x"
          PUT /v1/tags        | {}
          PUT /v1/number      | 5}
          PUT /v1/number      | 5} {"x":1
          PUT /v1/number      | "x"
          """)
  void contentOfAnotherFormIsMalformed(String request, String content) {
    String message = PROBE.message(request, content);
    assertTrue(message.startsWith("malformed: malformed JSON"), message);
  }

  @Test
  void aQueryBesideAWholeBodyIsRefused() {
    assertEquals(
        "malformed: query parameter i32: the field is set by the path or the content",
        PROBE.message("POST /v1/whole/n?i32=1", "{}"));
  }

  @Test
  void unknownParametersAreIgnoredWhenAskedFor() {
    ProbeTable lenient = new ProbeTable(new Transcoding().ignoringUnknownParameters());
    assertEquals("{\"i32\":1}", lenient.message("GET /v1/query?utm_source=x&i32=1", ""));
    assertEquals("{\"name\":\"n\"}", lenient.message("POST /v1/whole/n?key=1", "{}"));
  }

  @Test
  void nestingIsBounded() throws Exception {
    String deep = "child.".repeat(99) + "i32=1";
    assertTrue(PROBE.message("GET /v1/query?" + deep, "").endsWith("{\"i32\":1" + "}".repeat(100)));
    assertTrue(
        PROBE
            .message("GET /v1/query?child." + deep, "")
            .endsWith("...: probe.All has no such field"));
  }

  @Test
  void parametersAreCounted() {
    String thousand = "tags=a&".repeat(1000);
    assertTrue(PROBE.message("GET /v1/query?" + thousand, "").startsWith("{"));
    assertEquals(
        "malformed: more than 1000 query parameters",
        PROBE.message("GET /v1/query?" + thousand + "tags=a", ""));
  }

  @FuzzTest(maxDuration = "30s")
  void anyTargetIsAMessageOrMalformed(FuzzedDataProvider data) {
    String target = data.consumeString(200);
    String content = data.consumeRemainingAsString();
    for (String request :
        new String[] {
          "GET /v1/query?" + target, "GET /v1/alt/" + target, "PUT /v1/tags?" + target
        }) {
      if (PROBE.match(request, "application/json", null) instanceof HttpMapping.Found) {
        try {
          PROBE.decode(request, content);
        } catch (MalformedMessageException e) {
          assertFalse(e.getMessage().isEmpty());
        }
      }
    }
  }

  private static final List<FieldDescriptor> FIELDS = All.getDescriptor().getFields();

  @FuzzTest(maxDuration = "30s")
  void anyTextIsAValueOfAFieldOrMalformed(FuzzedDataProvider data) throws Exception {
    FieldDescriptor field = FIELDS.get(data.consumeInt(0, FIELDS.size() - 1));
    String text = data.consumeRemainingAsString();
    All.Builder message = All.newBuilder();
    try {
      FieldPath.of(All.getDescriptor(), field.getName()).set(message, text);
    } catch (MalformedMessageException e) {
      assertTrue(e.getMessage().startsWith(field.getName() + ": "), e.getMessage());
      return;
    }
    assertEquals(message.build(), All.parseFrom(message.build().toByteString()));
  }
}
