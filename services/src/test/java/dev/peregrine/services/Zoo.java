package dev.peregrine.services;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.StringValue;
import com.google.protobuf.WrappersProto;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;

/**
 * A service with files of every kind, without generated code.
 *
 * <pre>
 *   keeper.proto  --imports-->  animal.proto  --imports-->  food.proto
 *        |                                                      ^
 *        +--imports--> google/protobuf/wrappers.proto           |
 *   tricks.proto  --imports-->  animal.proto     (extends Animal, imported by nobody)
 * </pre>
 */
final class Zoo implements Service {

  static final Method<StringValue, StringValue> FEED =
      Method.unary(
          "zoo.Keeper/Feed", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  static final FileDescriptor FOOD =
      file(
          FileDescriptorProto.newBuilder()
              .setName("zoo/food.proto")
              .setPackage("zoo")
              .addMessageType(DescriptorProto.newBuilder().setName("Food"))
              .addEnumType(enumOf("Taste", "SWEET")));

  static final FileDescriptor ANIMAL =
      file(
          FileDescriptorProto.newBuilder()
              .setName("zoo/animal.proto")
              .setPackage("zoo")
              .addDependency("zoo/food.proto")
              .addMessageType(
                  DescriptorProto.newBuilder()
                      .setName("Animal")
                      .addNestedType(
                          DescriptorProto.newBuilder()
                              .setName("Leg")
                              .addEnumType(enumOf("Side", "LEFT"))
                              .addExtension(
                                  FieldDescriptorProto.newBuilder()
                                      .setName("toes")
                                      .setNumber(101)
                                      .setExtendee(".zoo.Animal")
                                      .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                                      .setType(FieldDescriptorProto.Type.TYPE_INT32)))
                      .addExtensionRange(
                          DescriptorProto.ExtensionRange.newBuilder().setStart(100).setEnd(200))),
          FOOD);

  static final FileDescriptor KEEPER =
      file(
          FileDescriptorProto.newBuilder()
              .setName("zoo/keeper.proto")
              .setPackage("zoo")
              .addDependency("zoo/animal.proto")
              .addDependency("google/protobuf/wrappers.proto")
              .addService(
                  ServiceDescriptorProto.newBuilder()
                      .setName("Keeper")
                      .addMethod(
                          MethodDescriptorProto.newBuilder()
                              .setName("Feed")
                              .setInputType(".google.protobuf.StringValue")
                              .setOutputType(".google.protobuf.StringValue"))),
          ANIMAL,
          WrappersProto.getDescriptor());

  static final FileDescriptor TRICKS =
      file(
          FileDescriptorProto.newBuilder()
              .setName("zoo/tricks.proto")
              .setPackage("zoo")
              .addDependency("zoo/animal.proto")
              .addExtension(
                  FieldDescriptorProto.newBuilder()
                      .setName("trick")
                      .setNumber(100)
                      .setExtendee(".zoo.Animal")
                      .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                      .setType(FieldDescriptorProto.Type.TYPE_STRING)),
          ANIMAL);

  private static EnumDescriptorProto.Builder enumOf(String name, String value) {
    return EnumDescriptorProto.newBuilder()
        .setName(name)
        .addValue(EnumValueDescriptorProto.newBuilder().setName(value).setNumber(0));
  }

  private static FileDescriptor file(FileDescriptorProto.Builder file, FileDescriptor... imports) {
    try {
      return FileDescriptor.buildFrom(file.build(), imports);
    } catch (DescriptorValidationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  public ServiceDefinition definition() {
    return ServiceDefinition.of("zoo.Keeper", () -> KEEPER)
        .unary(FEED, (animal, context) -> StringValue.of("fed " + animal.getValue()));
  }
}
