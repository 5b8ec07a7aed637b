package dev.peregrine.protoc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void theGeneratorKnowsProtobufAndNothingOfPeregrine() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.peregrine.protoc");
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.peregrine.protoc", "com.google.protobuf..", "java..")
        .check(ours);
  }
}
