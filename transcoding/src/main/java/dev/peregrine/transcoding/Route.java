package dev.peregrine.transcoding;

import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * One rule of one method, understood: which requests it is for, and where the fields of their
 * message come from. Immutable, any thread.
 */
final class Route<Q, R> {

  /** A rule's body that stands for the whole message. */
  private static final String WHOLE = "*";

  private final Messages<Q, R> messages;
  private final String httpMethod;
  private final PathTemplate template;
  private final List<FieldPath> variables = new ArrayList<>();
  private final boolean wholeBody;
  private final FieldDescriptor bodyField;
  private final Codec<? extends Message> bodyCodec;
  private final ResponseCodec<R> responseCodec;
  private final boolean ignoreUnknown;

  /**
   * Understands a rule.
   *
   * @throws IllegalArgumentException in one sentence, if it does not fit the method
   */
  Route(Messages<Q, R> messages, HttpRule rule, Json json, boolean ignoreUnknown) {
    this.messages = messages;
    this.ignoreUnknown = ignoreUnknown;
    this.httpMethod = httpMethodOf(rule);
    this.template = PathTemplate.parse(pathOf(rule));
    Message request = messages.request();
    Descriptor type = request.getDescriptorForType();
    for (PathTemplate.Variable variable : template.variables()) {
      variables.add(variable(type, variable));
    }
    this.wholeBody = rule.getBody().equals(WHOLE);
    this.bodyField = wholeBody ? null : topLevel(type, rule.getBody(), "body");
    boolean bodyIsMessage = bodyField != null && isMessage(bodyField);
    this.bodyCodec =
        json.codec(
            bodyIsMessage
                ? request.newBuilderForType().newBuilderForField(bodyField).build()
                : request);
    FieldDescriptor responseField =
        topLevel(
            messages.response().getDescriptorForType(), rule.getResponseBody(), "response_body");
    this.responseCodec = new ResponseCodec<>(messages, responseField, json);
  }

  private static String httpMethodOf(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET, PUT, POST, DELETE, PATCH -> rule.getPatternCase().name();
      case CUSTOM -> rule.getCustom().getKind();
      case PATTERN_NOT_SET -> throw new IllegalArgumentException("the rule has no path");
    };
  }

  private static String pathOf(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> rule.getGet();
      case PUT -> rule.getPut();
      case POST -> rule.getPost();
      case DELETE -> rule.getDelete();
      case PATCH -> rule.getPatch();
      case CUSTOM -> rule.getCustom().getPath();
      case PATTERN_NOT_SET -> "";
    };
  }

  private FieldPath variable(Descriptor type, PathTemplate.Variable variable) {
    FieldPath path = FieldPath.of(type, variable.fieldPath());
    if (path == null || path.last().isRepeated() || !FieldText.fits(path.last())) {
      throw new IllegalArgumentException(
          template
              + ": "
              + variable.fieldPath()
              + " is not a field of "
              + type.getFullName()
              + " with one value");
    }
    return path;
  }

  private FieldDescriptor topLevel(Descriptor type, String name, String what) {
    if (name.isEmpty()) {
      return null;
    }
    FieldDescriptor field = FieldPath.find(type, name);
    if (field == null) {
      throw new IllegalArgumentException(
          template + ": the " + what + " " + name + " is not a field of " + type.getFullName());
    }
    return field;
  }

  /** Whether a field holds one message. */
  static boolean isMessage(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE && !field.isRepeated();
  }

  Method<Q, R> method() {
    return messages.method();
  }

  Messages<Q, R> messages() {
    return messages;
  }

  /** The HTTP method, or {@link PathTable#ANY_METHOD}. */
  String httpMethod() {
    return httpMethod;
  }

  PathTemplate template() {
    return template;
  }

  /** The fields of the template's variables, in their order. */
  List<FieldPath> variables() {
    return variables;
  }

  /** Whether requests have content that means something. */
  boolean hasBody() {
    return wholeBody || bodyField != null;
  }

  /** The field which the content is, or {@code null}. */
  FieldDescriptor bodyField() {
    return bodyField;
  }

  /** Reads the message which is the content, or holds the body field. */
  Codec<? extends Message> bodyCodec() {
    return bodyCodec;
  }

  ResponseCodec<R> responseCodec() {
    return responseCodec;
  }

  /** Whether query parameters which name no field are ignored. */
  boolean ignoresUnknown() {
    return ignoreUnknown;
  }

  /** Whether a field comes from elsewhere than the query. */
  boolean binds(FieldPath path) {
    if (wholeBody || path.fields().get(0) == bodyField) {
      return true;
    }
    for (FieldPath variable : variables) {
      if (variable.text().equals(path.text())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return httpMethod + " " + template + " of " + method();
  }
}
