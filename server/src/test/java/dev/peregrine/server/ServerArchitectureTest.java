package dev.peregrine.server;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What DESIGN sections 3, 8 and 13 promise about this module. */
class ServerArchitectureTest {

  private static final String ROOT = "dev.peregrine.server";

  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void needsTheJdkAndOurOwnModulesAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl",
            "jdk.jfr",
            "jdk.net",
            "javax.management..",
            "dev.peregrine.wire..",
            "dev.peregrine.rpc..",
            ROOT + "..")
        .check(SERVER);
  }

  /** A JVM may lack it; see {@code FlightRecording}. */
  @Test
  void onlyEventsNameFlightRecorder() {
    noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Event")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.jfr..")
        .check(SERVER);
  }

  @Test
  void knowsNeitherFramesNorFieldCompression() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.peregrine.wire.hpack..")
        .check(SERVER);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.peregrine\\.wire\\.http2\\.(Frame.*|Http2Stream|StreamState)")
        .check(SERVER);
  }

  @Test
  void thereAreNoLocks() {
    noMethods().should().haveModifier(SYNCHRONIZED).check(SERVER);
    noFields().should().haveModifier(VOLATILE).check(SERVER);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.util\\.concurrent\\.locks\\..*Lock")
        .check(SERVER);
  }

  /** Loop-confined classes need nothing of the kind; a new name here needs a reason. */
  @Test
  void threadsMeetOnlyInTheClassesNamedForIt() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : SERVER) {
      boolean crossing =
          type.getDirectDependenciesFromSelf().stream()
              .map(d -> d.getTargetClass().getName())
              .anyMatch(
                  name ->
                      name.startsWith("java.util.concurrent.atomic.")
                          || name.startsWith("java.util.concurrent.Concurrent")
                          || name.equals("java.util.concurrent.CountDownLatch"));
      if (crossing) {
        found.add(type.getSimpleName());
      }
    }
    assertEquals(
        new TreeSet<>(
            Set.of(
                "ConnectionBudget",
                "EventLoop",
                "Identities",
                "LimitTally",
                "Listener",
                "QueuedBytes",
                "ServerBean",
                "ServerWatch",
                "Shutdown",
                "TlsContext")),
        found);
  }

  @Test
  void usersNeedNoInternalType() {
    List<String> leaks =
        SERVER.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(ServerArchitectureTest::speaksOfInternals)
            .map(JavaMethod::getFullName)
            .toList();
    assertEquals(List.of(), leaks);
  }

  private static boolean speaksOfInternals(JavaMethod method) {
    return method.getRawReturnType().getPackageName().startsWith("dev.peregrine.wire")
        || method.getRawParameterTypes().stream()
            .anyMatch(
                type ->
                    type.getPackageName().startsWith("dev.peregrine.wire")
                        || type.getPackageName().equals("dev.peregrine.rpc.protocol"));
  }

  @Test
  void classNamesSayWhatTheClassIs() {
    noClasses()
        .should()
        .haveNameMatching(
            ".*(Util|Utils|Common|Manager|Helper|Impl|Base|Abstract|Default)(?![a-z0-9]).*")
        .check(SERVER);
  }
}
