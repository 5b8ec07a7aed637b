package dev.peregrine.wire;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What DESIGN sections 0 and 3 promise about this module. */
class WireArchitectureTest {

  private static final String ROOT = "dev.peregrine.wire";

  private static final JavaClasses WIRE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static final Pattern SYNCHRONIZED_BLOCK = Pattern.compile("\\bsynchronized\\s*\\(");

  @Test
  void vocabularyKnowsNoEngine() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAPackage(ROOT)))));
  }

  @Test
  void hpackKnowsOnlyTheVocabulary() {
    check(mayKnow("hpack", ROOT));
  }

  @Test
  void http2KnowsHpackAndTheVocabulary() {
    check(mayKnow("http2", ROOT, ROOT + ".hpack.."));
  }

  @Test
  void http1AndDrpcKnowOnlyTheVocabulary() {
    check(mayKnow("http1", ROOT));
    check(mayKnow("drpc", ROOT));
  }

  @Test
  void onlyTheJdkIsNeeded() {
    check(
        classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java.lang..",
                "java.util..",
                "java.nio..",
                "java.net..",
                // Sessions are passed on, never looked into.
                "java.security",
                "javax.net.ssl",
                ROOT + ".."));
  }

  @Test
  void thereAreNoThreadsNoLocksAndNoChannels() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent..", "java.nio.channels.."));
    check(noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class));
    check(noMethods().should().haveModifier(SYNCHRONIZED));
    check(noFields().should().haveModifier(VOLATILE));
  }

  @Test
  void thereAreNoSynchronizedBlocks() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertTrue(sources.size() > 10, "sources not found");
      for (Path source : sources) {
        boolean found = SYNCHRONIZED_BLOCK.matcher(Files.readString(source)).find();
        assertFalse(found, source + " has a synchronized block");
      }
    }
  }

  @Test
  void thereIsNoClock() {
    check(noClasses().should().callMethod(System.class, "nanoTime"));
    check(noClasses().should().callMethod(System.class, "currentTimeMillis"));
    check(noClasses().should().dependOnClassesThat().resideInAPackage("java.time.."));
  }

  @Test
  void classNamesSayWhatTheClassIs() {
    check(
        noClasses()
            .should()
            .haveNameMatching(
                ".*(Util|Utils|Common|Manager|Helper|Impl|Base|Abstract|Default)(?![a-z0-9]).*"));
  }

  private static ArchRule mayKnow(String engine, String... packages) {
    String own = ROOT + "." + engine + "..";
    return noClasses()
        .that()
        .resideInAPackage(own)
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAPackage(own)))
                .and(not(resideInAnyPackage(packages))));
  }

  /** An engine that is not there yet breaks no rule. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(WIRE);
  }
}
