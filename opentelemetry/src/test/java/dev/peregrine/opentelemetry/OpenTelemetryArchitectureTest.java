package dev.peregrine.opentelemetry;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class OpenTelemetryArchitectureTest {

  @Test
  void theModuleUsesNothingButThePublicApisOfBoth() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.peregrine.opentelemetry",
            "dev.peregrine.rpc",
            "io.opentelemetry.api..",
            "io.opentelemetry.context..",
            "java..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.peregrine.opentelemetry"));
  }
}
