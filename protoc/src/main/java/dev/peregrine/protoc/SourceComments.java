package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos.SourceCodeInfo;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Any thread. The comments of a .proto file, as protoc found them. */
final class SourceComments {

  private final Map<List<Integer>, String> byPath = new HashMap<>();

  /** Reads the comments of a file: leading ones, trailing ones where there are no leading ones. */
  SourceComments(FileDescriptor file) {
    SourceCodeInfo source = file.toProto().getSourceCodeInfo();
    for (Location location : source.getLocationList()) {
      String comment =
          location.getLeadingComments().isBlank()
              ? location.getTrailingComments()
              : location.getLeadingComments();
      if (!comment.isBlank()) {
        byPath.put(location.getPathList(), comment);
      }
    }
  }

  /**
   * The comment of an element, or {@code null}.
   *
   * @param path its path in {@code FileDescriptorProto} (descriptor.proto, SourceCodeInfo)
   */
  String of(List<Integer> path) {
    return byPath.get(path);
  }

  /**
   * A line of a comment: what follows the mark usually begins with one blank that belongs to it.
   */
  static String line(String line) {
    return (line.startsWith(" ") ? line.substring(1) : line).stripTrailing();
  }
}
