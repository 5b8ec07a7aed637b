package dev.peregrine.rpc;

import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What DESIGN sections 0, 3 and 8 promise about this module. */
class RpcArchitectureTest {

  private static final String ROOT = "dev.peregrine.rpc";
  private static final String PROTOCOL = ROOT + ".protocol";

  private static final JavaClasses RPC =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /**
   * The border between event loops and handler threads, whole. A class that is to be added here is
   * a second way across, and needs a reason that these do not give, and a stress test.
   */
  private static final Set<String> CROSSING =
      Set.of(
          "Outbox",
          "OutboxEntry",
          "HandlerTask",
          "HandlerThread",
          "WorkerPool",
          "RequestQueue",
          "ResponseQueue",
          "ReceiveCredit",
          "BatchQueue",
          "BlockingStreams",
          "EventDrivenStreams",
          "CallContext",
          "ServerCall");

  /** May name executors, to run tasks on them, but share nothing by themselves. */
  private static final Set<String> NAMING_EXECUTORS =
      Set.of("Execution", "Routes", "TaskExecutor", "Codings");

  /** Count lines of the log, which any thread writes; nothing of a call crosses there. */
  private static final Set<String> COUNTING = Set.of("LogLimit");

  private static final Pattern SYNCHRONIZED_BLOCK = Pattern.compile("\\bsynchronized\\s*\\(");

  private static DescribedPredicate<JavaClass> oneOf(Set<String> names) {
    return DescribedPredicate.describe(
        "one of " + names, type -> names.contains(outermost(type).getSimpleName()));
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  @Test
  void apiDoesNotKnowTheProtocols() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(PROTOCOL + "..")
        .check(RPC);
  }

  @Test
  void onlyTheVocabularyOfWireIsKnown() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.peregrine.wire.*..")
        .check(RPC);
  }

  @Test
  void onlyTheJdkWireAndProtobufAreNeeded() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java.lang..",
            "java.util..",
            "java.io..",
            "java.nio.charset..",
            "java.net..",
            "java.time..",
            // A principal is shown to handlers.
            "java.security",
            // A session is shown to handlers, see below.
            "javax.net.ssl",
            "jdk.jfr",
            "com.google.protobuf",
            "dev.peregrine.wire",
            ROOT + "..")
        .check(RPC);
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
        .check(RPC);
  }

  @Test
  void thereAreNoSocketsNoSelectorsNoTls() {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "of channels or TLS, but for the session shown to handlers",
                type ->
                    type.getPackageName().startsWith("java.nio.channels")
                        || (type.getPackageName().startsWith("javax.net")
                            && !type.getSimpleName().equals("SSLSession"))))
        .check(RPC);
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "of java.net, but for addresses",
                type ->
                    type.getPackageName().equals("java.net")
                        && !type.getSimpleName().equals("SocketAddress")))
        .check(RPC);
  }

  @Test
  void threadsMeetOnlyWhereItIsSaid() {
    fields()
        .that()
        .haveModifier(VOLATILE)
        .should()
        .beDeclaredInClassesThat(oneOf(CROSSING))
        .check(RPC);
    classes()
        .that(DescribedPredicate.not(oneOf(CROSSING)))
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "not VarHandle or LockSupport",
                type ->
                    !type.isEquivalentTo(VarHandle.class)
                        && !type.isEquivalentTo(LockSupport.class)))
        .check(RPC);
    noClasses()
        .that(
            DescribedPredicate.not(oneOf(CROSSING).or(oneOf(NAMING_EXECUTORS)).or(oneOf(COUNTING))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent..")
        .check(RPC);
  }

  @Test
  void nothingIsLocked() throws IOException {
    noMethods().should().haveModifier(SYNCHRONIZED).check(RPC);
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
  void onlyWorkersAreThreads() {
    noClasses()
        .that(DescribedPredicate.not(oneOf(Set.of("WorkerPool"))))
        .should()
        .beAssignableTo(Thread.class)
        .check(RPC);
  }

  @Test
  void classNamesSayWhatTheClassIs() {
    noClasses()
        .should()
        .haveNameMatching(
            ".*(Util|Utils|Common|Manager|Helper|Impl|Base|Abstract|Default)(?![a-z0-9]).*")
        .check(RPC);
  }
}
