package dev.peregrine.services;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The borders of this module. */
class ServicesArchitectureTest {

  private static final String ROOT = "dev.peregrine.services";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void servicesUseNothingButThePublicApi() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(ROOT + "..", "dev.peregrine.rpc", "com.google.protobuf..", "java..")
        .check(CLASSES);
  }

  @Test
  void thePublicSurfaceIsSmallAndShowsNoGeneratedClass() {
    Set<String> surface = new TreeSet<>();
    Set<String> generated = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      if (!type.getPackageName().equals(ROOT)
          || !type.getModifiers().contains(JavaModifier.PUBLIC)) {
        continue;
      }
      surface.add(type.getSimpleName());
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (unit.getModifiers().contains(JavaModifier.PUBLIC)
            && (isGenerated(unit.getRawReturnType())
                || unit.getRawParameterTypes().stream().anyMatch(this::isGenerated))) {
          generated.add(unit.getFullName());
        }
      }
    }
    assertEquals(Set.of("Health", "Reflection", "ServingStatus"), surface);
    assertEquals(Set.of(), generated);
  }

  private boolean isGenerated(JavaClass type) {
    return type.getPackageName().startsWith(ROOT + ".");
  }
}
