package dev.peregrine.explorer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class ExplorerArchitectureTest {

  @Test
  void theExplorerUsesNothingButThePublicApi() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.peregrine.explorer",
            "dev.peregrine.server",
            "dev.peregrine.rpc",
            "com.google.protobuf..",
            "java..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.peregrine.explorer"));
  }
}
