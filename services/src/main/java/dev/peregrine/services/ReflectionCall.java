package dev.peregrine.services;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.reflection.v1.ErrorResponse;
import dev.peregrine.services.reflection.v1.ExtensionNumberResponse;
import dev.peregrine.services.reflection.v1.ExtensionRequest;
import dev.peregrine.services.reflection.v1.FileDescriptorResponse;
import dev.peregrine.services.reflection.v1.ListServiceResponse;
import dev.peregrine.services.reflection.v1.ServerReflectionRequest;
import dev.peregrine.services.reflection.v1.ServerReflectionResponse;
import dev.peregrine.services.reflection.v1.ServiceResponse;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Handler thread. One call of ServerReflectionInfo: one answer to each question, in order; the next
 * question is asked for when the client has room for its answer.
 */
final class ReflectionCall implements CallListener<ServerReflectionRequest> {

  /**
   * Imports are sent unasked up to this many bytes in one answer, a quarter of the 4 MiB that
   * clients accept; a client asks by name for those it misses.
   */
  static final int MAX_UNASKED_BYTES = 1024 * 1024;

  private final Call<ServerReflectionResponse> call;
  private final DescriptorIndex index;
  private final Set<FileDescriptor> sent = new HashSet<>();
  private boolean waitsForRoom;

  ReflectionCall(Call<ServerReflectionResponse> call, DescriptorIndex index) {
    this.call = call;
    this.index = index;
  }

  @Override
  public void onMessage(ServerReflectionRequest question) {
    call.send(
        answer(question).setValidHost(question.getHost()).setOriginalRequest(question).build());
    waitsForRoom = !call.ready();
    if (!waitsForRoom) {
      call.request(1);
    }
  }

  @Override
  public void onReady() {
    if (waitsForRoom) {
      waitsForRoom = false;
      call.request(1);
    }
  }

  @Override
  public void onHalfClose() {
    call.close(Status.OK);
  }

  private ServerReflectionResponse.Builder answer(ServerReflectionRequest question) {
    return switch (question.getMessageRequestCase()) {
      case FILE_BY_FILENAME -> files(index.file(question.getFileByFilename()), "file");
      case FILE_CONTAINING_SYMBOL ->
          files(index.fileOfSymbol(question.getFileContainingSymbol()), "symbol");
      case FILE_CONTAINING_EXTENSION -> fileOf(question.getFileContainingExtension());
      case ALL_EXTENSION_NUMBERS_OF_TYPE ->
          extensionNumbers(question.getAllExtensionNumbersOfType());
      case LIST_SERVICES -> services();
      case MESSAGEREQUEST_NOT_SET ->
          error(Status.Code.INVALID_ARGUMENT, "the request asks for nothing this server knows");
    };
  }

  private ServerReflectionResponse.Builder fileOf(ExtensionRequest extension) {
    return files(
        index.fileOfExtension(extension.getContainingType(), extension.getExtensionNumber()),
        "extension");
  }

  private ServerReflectionResponse.Builder extensionNumbers(String type) {
    if (!index.isMessage(type)) {
      return notFound("type");
    }
    return ServerReflectionResponse.newBuilder()
        .setAllExtensionNumbersResponse(
            ExtensionNumberResponse.newBuilder()
                .setBaseTypeName(type)
                .addAllExtensionNumber(index.extensionNumbers(type)));
  }

  private ServerReflectionResponse.Builder services() {
    ListServiceResponse.Builder all = ListServiceResponse.newBuilder();
    for (String name : index.serviceNames()) {
      all.addService(ServiceResponse.newBuilder().setName(name));
    }
    return ServerReflectionResponse.newBuilder().setListServicesResponse(all);
  }

  /** The file, and of what it imports, itself or by others, whatever this call has not sent yet. */
  private ServerReflectionResponse.Builder files(FileDescriptor asked, String what) {
    if (asked == null) {
      return notFound(what);
    }
    FileDescriptorResponse.Builder files = FileDescriptorResponse.newBuilder();
    files.addFileDescriptorProto(index.encoded(asked));
    sent.add(asked);
    int unaskedBytes = 0;
    Set<FileDescriptor> seen = new HashSet<>();
    Queue<FileDescriptor> imports = new ArrayDeque<>(asked.getDependencies());
    for (FileDescriptor file = imports.poll(); file != null; file = imports.poll()) {
      if (!seen.add(file)) {
        continue;
      }
      imports.addAll(file.getDependencies());
      ByteString encoded = index.encoded(file);
      if (!sent.contains(file) && unaskedBytes + encoded.size() <= MAX_UNASKED_BYTES) {
        unaskedBytes += encoded.size();
        files.addFileDescriptorProto(encoded);
        sent.add(file);
      }
    }
    return ServerReflectionResponse.newBuilder().setFileDescriptorResponse(files);
  }

  private static ServerReflectionResponse.Builder notFound(String what) {
    return error(Status.Code.NOT_FOUND, what + " not found");
  }

  private static ServerReflectionResponse.Builder error(Status.Code code, String text) {
    return ServerReflectionResponse.newBuilder()
        .setErrorResponse(
            ErrorResponse.newBuilder().setErrorCode(code.number()).setErrorMessage(text));
  }
}
