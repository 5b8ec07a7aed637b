package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.util.Map;

/** Any thread. Turns a request of protoc into its response: a function, without I/O. */
final class Generator {

  /** Leaves out the classes that hold comments. */
  private static final String NO_COMMENTS = "no_comments";

  private static final int FEATURES =
      Feature.FEATURE_PROTO3_OPTIONAL_VALUE | Feature.FEATURE_SUPPORTS_EDITIONS_VALUE;

  /** The oldest and the newest edition whose Java names are known and tested. */
  private static final Edition OLDEST_EDITION = Edition.EDITION_PROTO2;

  private static final Edition NEWEST_EDITION = Edition.EDITION_2026;

  private Generator() {}

  /** Every service of the files to generate, or an error for protoc to show. */
  static CodeGeneratorResponse generate(CodeGeneratorRequest request) {
    CodeGeneratorResponse.Builder response = CodeGeneratorResponse.newBuilder();
    declareFeatures(response);
    try {
      generate(request, response);
      return response.build();
    } catch (GeneratorException e) {
      CodeGeneratorResponse.Builder failure = CodeGeneratorResponse.newBuilder();
      declareFeatures(failure);
      return failure.setError(e.getMessage()).build();
    }
  }

  private static void declareFeatures(CodeGeneratorResponse.Builder response) {
    response
        .setSupportedFeatures(FEATURES)
        .setMinimumEdition(OLDEST_EDITION.getNumber())
        .setMaximumEdition(NEWEST_EDITION.getNumber());
  }

  private static void generate(CodeGeneratorRequest request, CodeGeneratorResponse.Builder response)
      throws GeneratorException {
    String parameter = request.getParameter();
    if (!parameter.isEmpty() && !parameter.equals(NO_COMMENTS)) {
      throw new GeneratorException(
          "unknown parameter \"" + parameter + "\": there is " + NO_COMMENTS + ", and no other");
    }
    ProtoFiles files = ProtoFiles.of(request);
    InterfaceNames names = InterfaceNames.of(files);
    for (String name : request.getFileToGenerateList()) {
      FileDescriptor file = files.named(name);
      for (ServiceDescriptor service : file.getServices()) {
        Map<String, String> comments = parameter.isEmpty() ? Commented.by(service) : Map.of();
        String holder = comments.isEmpty() ? null : names.ofComments(service);
        ServiceFile source = new ServiceFile(service, files, names, holder);
        response.addFileBuilder().setName(source.path()).setContent(source.text());
        if (holder != null) {
          CommentsFile beside = new CommentsFile(service, files, holder, comments);
          response.addFileBuilder().setName(beside.path()).setContent(beside.text());
        }
      }
    }
  }
}
