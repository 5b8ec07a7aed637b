package dev.peregrine.micrometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class MicrometerArchitectureTest {

  @Test
  void theMetricsUseNothingButThePublicApiAndMicrometer() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.peregrine.micrometer",
            "dev.peregrine.rpc",
            "io.micrometer.core.instrument..",
            "java..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.peregrine.micrometer"));
  }
}
