package dev.peregrine.transcoding;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class TranscodingArchitectureTest {

  @Test
  void transcodingUsesNothingButThePublicApi() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.peregrine.transcoding",
            "dev.peregrine.rpc",
            "dev.peregrine.json",
            "com.google.api",
            "com.google.rpc",
            "com.google.protobuf..",
            "java..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.peregrine.transcoding"));
  }
}
