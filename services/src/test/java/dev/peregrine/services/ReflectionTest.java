package dev.peregrine.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.reflection.v1.ExtensionNumberResponse;
import dev.peregrine.services.reflection.v1.ReflectionProto;
import dev.peregrine.services.reflection.v1.ServerReflectionRequest;
import dev.peregrine.services.reflection.v1.ServerReflectionResponse;
import dev.peregrine.services.reflection.v1.ServiceResponse;
import dev.peregrine.services.reflection.v1alpha.ReflectionV1AlphaProto;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The answers of reflection, by both of its names. */
class ReflectionTest {

  private final Reflection reflection = new Reflection(Zoo.TRICKS);
  private final FakeCall<ServerReflectionResponse> call = new FakeCall<>();
  private CallListener<ServerReflectionRequest> client;

  @BeforeEach
  void start() throws Exception {
    List<ServiceDefinition> services = new ArrayList<>();
    services.add(new Zoo().definition());
    services.add(ServiceDefinition.of("zoo.Undescribed"));
    services.addAll(reflection.definitions());
    reflection.onStart(services);
    client = open(reflection.definitions().get(0), call);
  }

  @SuppressWarnings("unchecked") // the only method of both services
  private static CallListener<ServerReflectionRequest> open(
      ServiceDefinition service, FakeCall<ServerReflectionResponse> call) throws Exception {
    Method<?, ?> method = service.bindings().iterator().next().method();
    assertEquals(service.name() + "/ServerReflectionInfo", method.fullName());
    assertEquals(Method.Kind.BIDI_STREAMING, method.kind());
    return ((Handler.EventDriven<ServerReflectionRequest, ServerReflectionResponse>)
            FakeCall.handler(service, method))
        .start(call);
  }

  private ServerReflectionResponse ask(
      Function<ServerReflectionRequest.Builder, ServerReflectionRequest.Builder> question)
      throws Exception {
    ServerReflectionRequest request =
        question.apply(ServerReflectionRequest.newBuilder().setHost("zoo.example")).build();
    client.onMessage(request);
    List<ServerReflectionResponse> answers = call.take();
    assertEquals(1, answers.size());
    assertEquals(request, answers.get(0).getOriginalRequest());
    assertEquals("zoo.example", answers.get(0).getValidHost());
    return answers.get(0);
  }

  private ServerReflectionResponse askExtension(String type, int number) throws Exception {
    return ask(
        question -> {
          question
              .getFileContainingExtensionBuilder()
              .setContainingType(type)
              .setExtensionNumber(number);
          return question;
        });
  }

  private static List<String> files(ServerReflectionResponse answer)
      throws InvalidProtocolBufferException {
    List<String> names = new ArrayList<>();
    for (ByteString file : answer.getFileDescriptorResponse().getFileDescriptorProtoList()) {
      names.add(FileDescriptorProto.parseFrom(file).getName());
    }
    return names;
  }

  private static void assertNotFound(ServerReflectionResponse answer) {
    assertEquals(5, answer.getErrorResponse().getErrorCode());
    assertFalse(answer.getErrorResponse().getErrorMessage().isEmpty());
  }

  @Test
  void everyServiceIsListedAlsoWithoutADescriptor() throws Exception {
    ServerReflectionResponse answer = ask(question -> question.setListServices("*"));
    assertEquals(
        List.of(
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
            "zoo.Keeper",
            "zoo.Undescribed"),
        answer.getListServicesResponse().getServiceList().stream()
            .map(ServiceResponse::getName)
            .toList());
  }

  @Test
  void aFileComesWithWhatItImportsItselfAndByOthers() throws Exception {
    ServerReflectionResponse answer =
        ask(question -> question.setFileByFilename("zoo/keeper.proto"));
    assertEquals(
        List.of(
            "zoo/keeper.proto",
            "zoo/animal.proto",
            "google/protobuf/wrappers.proto",
            "zoo/food.proto"),
        files(answer));
    assertEquals(
        Zoo.KEEPER.toProto(),
        FileDescriptorProto.parseFrom(
            answer.getFileDescriptorResponse().getFileDescriptorProto(0)));
  }

  @Test
  void importsAreSentOncePerStreamButWhatIsAskedForAlways() throws Exception {
    ask(question -> question.setFileByFilename("zoo/animal.proto"));
    assertEquals(
        List.of("zoo/keeper.proto", "google/protobuf/wrappers.proto"),
        files(ask(question -> question.setFileByFilename("zoo/keeper.proto"))));
    assertEquals(
        List.of("zoo/food.proto"),
        files(ask(question -> question.setFileByFilename("zoo/food.proto"))));

    client = open(reflection.definitions().get(0), call);
    assertEquals(
        List.of("zoo/animal.proto", "zoo/food.proto"),
        files(ask(question -> question.setFileByFilename("zoo/animal.proto"))));
  }

  @Test
  void importsBeyondTheBoundAreLeftToBeAskedFor() throws Exception {
    FileDescriptor big = bigFile("big.proto");
    FileDescriptor alsoBig = bigFile("also_big.proto");
    FileDescriptor root =
        FileDescriptor.buildFrom(
            FileDescriptorProto.newBuilder()
                .setName("root.proto")
                .addDependency("big.proto")
                .addDependency("also_big.proto")
                .build(),
            new FileDescriptor[] {big, alsoBig});
    Reflection other = new Reflection(root);
    other.onStart(List.of());
    client = open(other.definition(), call);
    assertEquals(
        List.of("root.proto", "big.proto"),
        files(ask(question -> question.setFileByFilename("root.proto"))));
    assertEquals(
        List.of("also_big.proto"),
        files(ask(question -> question.setFileByFilename("also_big.proto"))));
  }

  private static FileDescriptor bigFile(String name) throws Exception {
    String longName = "M".repeat(ReflectionCall.MAX_UNASKED_BYTES * 3 / 4);
    return FileDescriptor.buildFrom(
        FileDescriptorProto.newBuilder()
            .setName(name)
            .setPackage(name.replace(".proto", ""))
            .addMessageType(DescriptorProto.newBuilder().setName(longName))
            .build(),
        new FileDescriptor[0]);
  }

  @Test
  void aSymbolMayBeAnythingThatAFileDeclares() throws Exception {
    String[][] symbols = {
      {"zoo.Keeper", "zoo/keeper.proto"},
      {"zoo.Keeper.Feed", "zoo/keeper.proto"},
      {"zoo.Animal", "zoo/animal.proto"},
      {"zoo.Animal.Leg", "zoo/animal.proto"},
      {"zoo.Animal.Leg.Side", "zoo/animal.proto"},
      {"zoo.Animal.Leg.toes", "zoo/animal.proto"},
      {"zoo.Taste", "zoo/food.proto"},
      {"zoo.trick", "zoo/tricks.proto"},
      {"google.protobuf.StringValue", "google/protobuf/wrappers.proto"},
      {"grpc.reflection.v1.ServerReflection", "grpc/reflection/v1/reflection.proto"},
      {"grpc.reflection.v1alpha.ErrorResponse", "grpc/reflection/v1alpha/reflection.proto"},
    };
    for (String[] symbol : symbols) {
      ServerReflectionResponse answer =
          ask(question -> question.setFileContainingSymbol(symbol[0]));
      assertEquals(symbol[1], files(answer).get(0), symbol[0]);
    }
  }

  @Test
  void extensionsAreFoundByTypeAndNumber() throws Exception {
    assertEquals("zoo/tricks.proto", files(askExtension("zoo.Animal", 100)).get(0));
    assertEquals("zoo/animal.proto", files(askExtension("zoo.Animal", 101)).get(0));
    assertNotFound(askExtension("zoo.Animal", 102));
    assertNotFound(askExtension("zoo.Food", 100));
    assertNotFound(askExtension("zoo.Nothing", 100));
  }

  @Test
  void theNumbersOfAllExtensionsOfATypeAreTold() throws Exception {
    assertEquals(
        ExtensionNumberResponse.newBuilder()
            .setBaseTypeName("zoo.Animal")
            .addExtensionNumber(100)
            .addExtensionNumber(101)
            .build(),
        ask(question -> question.setAllExtensionNumbersOfType("zoo.Animal"))
            .getAllExtensionNumbersResponse());
    assertEquals(
        ExtensionNumberResponse.newBuilder().setBaseTypeName("zoo.Food").build(),
        ask(question -> question.setAllExtensionNumbersOfType("zoo.Food"))
            .getAllExtensionNumbersResponse());
    assertNotFound(ask(question -> question.setAllExtensionNumbersOfType("zoo.Taste")));
    assertNotFound(ask(question -> question.setAllExtensionNumbersOfType("zoo.Nothing")));
  }

  @Test
  void aQuestionWithoutAnAnswerLeavesTheStreamOpen() throws Exception {
    assertNotFound(ask(question -> question.setFileByFilename("zoo/nothing.proto")));
    assertNotFound(ask(question -> question.setFileContainingSymbol("zoo.Undescribed")));
    assertNotFound(ask(question -> question.setFileContainingSymbol("")));
    assertEquals(3, ask(question -> question).getErrorResponse().getErrorCode());
    assertNull(call.closed());
    assertTrue(
        ask(question -> question.setFileByFilename("zoo/food.proto")).hasFileDescriptorResponse());
    client.onHalfClose();
    assertEquals(Status.OK, call.closed());
  }

  @Test
  void theNextQuestionIsAskedForWhenThereIsRoomForItsAnswer() throws Exception {
    ask(question -> question.setListServices(""));
    assertEquals(2, call.permits());
    client.onReady();
    assertEquals(2, call.permits());
    call.ready(false);
    ask(question -> question.setListServices(""));
    assertEquals(2, call.permits());
    call.ready(true);
    client.onReady();
    assertEquals(3, call.permits());
  }

  @Test
  void theOlderNameGivesTheSameAnswers() throws Exception {
    ServerReflectionResponse byV1 = ask(question -> question.setFileContainingSymbol("zoo.Keeper"));
    client = open(reflection.definitions().get(1), call);
    assertEquals(byV1, ask(question -> question.setFileContainingSymbol("zoo.Keeper")));
  }

  @Test
  void theMessagesOfBothNamesAreTheSame() throws Exception {
    String v1 = messages(ReflectionProto.getDescriptor());
    assertEquals(v1, messages(ReflectionV1AlphaProto.getDescriptor()).replace(".v1alpha.", ".v1."));
    assertTrue(v1.contains("file_containing_extension"), v1);
  }

  private static String messages(FileDescriptor file) {
    return file.toProto().getMessageTypeList().toString();
  }

  @Test
  void whatTheServerServesIsKnownAfterItsStart() throws Exception {
    reflection.onStart(List.of(ServiceDefinition.of("zoo.Newer")));
    client = open(reflection.definition(), call);
    assertEquals(
        "zoo.Newer",
        ask(question -> question.setListServices(""))
            .getListServicesResponse()
            .getService(0)
            .getName());
    assertNotFound(ask(question -> question.setFileContainingSymbol("zoo.Keeper")));
  }
}
