package dev.peregrine.accesslog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class AccessLogArchitectureTest {

  @Test
  void theLogUsesNothingButThePublicApiAndTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.peregrine.accesslog", "dev.peregrine.rpc", "java..", "javax.net.ssl")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.peregrine.accesslog"));
  }
}
