package io.syncguard;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;

@AnalyzeClasses(packages = "io.syncguard", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] PUBLIC_API = {
    "io.syncguard",
    "io.syncguard.counter",
    "io.syncguard.limit",
    "io.syncguard.lock",
    "io.syncguard.secret",
    "io.syncguard.semaphore",
    "io.syncguard.spi",
    "io.syncguard.spi.limit",
    "io.syncguard.spi.lock",
    "io.syncguard.spi.secret",
    "io.syncguard.spi.semaphore",
    "io.syncguard.telemetry"
  };

  @ArchTest
  static final ArchRule coreDependsOnSlf4jAndJSpecifyAndNothingElse =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.syncguard..",
              "java..",
              "javax.crypto..",
              "org.slf4j",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule coreKnowsNoStoreButMemory =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.syncguard.redis..",
              "io.syncguard.jdbc..",
              "io.syncguard.postgresql..",
              "io.syncguard.sqlite..",
              "io.syncguard.firestore..",
              "io.syncguard.test..",
              "io.syncguard.testkit..",
              "io.syncguard.cli..",
              "java.sql..");

  @ArchTest
  static final ArchRule nothingDependsOnTheMemoryStore =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.syncguard.memory..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.syncguard.memory..");

  @ArchTest
  static final ArchRule whatAStoreImplementsDoesNotDependOnTelemetry =
      noClasses()
          .that()
          .resideInAPackage("io.syncguard.spi..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.syncguard.telemetry..").and(not(simpleName("Reason"))));

  /** Capabilities, ids and watches are no operations; all else passes through one place. */
  @ArchTest
  static final ArchRule operationsReachAStoreThroughOnePlace =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.syncguard.internal.operation", "io.syncguard.internal.telemetry")
          .and()
          .areNotAssignableTo(Store.class)
          .should()
          .accessTargetWhere(isOneOf(OperationExecutor.class, "execute"))
          .orShould()
          .accessTargetWhere(isOneOf(Store.class, "execute"))
          .orShould()
          .accessTargetWhere(isOneOf(Operation.class, "on"));

  /** So a new operation or primitive touches no executor. */
  @ArchTest
  static final ArchRule whatAllOperationsPassKnowsNoPrimitive =
      noClasses()
          .that()
          .resideInAnyPackage("io.syncguard.internal.operation", "io.syncguard.internal.telemetry")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.syncguard.spi.*",
              "io.syncguard.lock",
              "io.syncguard.semaphore",
              "io.syncguard.secret",
              "io.syncguard.counter",
              "io.syncguard.limit");

  @ArchTest
  static final ArchRule whatAGuardHandsOutIsMadeByTheGuardAlone =
      classes()
          .that()
          .haveSimpleNameEndingWith("Locks")
          .or()
          .haveSimpleName("LockHandle")
          .or()
          .haveSimpleName("Permit")
          .or()
          .haveSimpleNameEndingWith("Semaphore")
          .or()
          .haveSimpleNameEndingWith("Semaphores")
          .or()
          .haveSimpleNameEndingWith("Secrets")
          .or()
          .haveSimpleNameEndingWith("Counters")
          .or()
          .haveSimpleNameEndingWith("RateLimiter")
          .and()
          .resideInAnyPackage(PUBLIC_API)
          .should()
          .beInterfaces();

  @ArchTest
  static final ArchRule primitivesDoNotKnowEachOther =
      slices()
          .matching("io.syncguard.internal.(lock|semaphore|secret|limit)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule onlyTheServiceLoadersDoorIsPublicElsewhere =
      classes()
          .that()
          .resideOutsideOfPackages(PUBLIC_API)
          // What primitives share is public for them; the module does not export it.
          .and()
          .resideOutsideOfPackage("io.syncguard.internal..")
          .and()
          .doNotHaveSimpleName("MemoryStoreProvider")
          .should()
          .notHaveModifier(JavaModifier.PUBLIC);

  @ArchTest
  static final ArchRule onlySystemTimeReadsTheSystemsClocks =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.syncguard.spi.SystemTime")
          // How long an operation took is measured for telemetry; nothing is decided by it.
          .and()
          .doNotHaveFullyQualifiedName("io.syncguard.internal.telemetry.ReportingExecutor")
          .should()
          .accessTargetWhere(isOneOf(System.class, "nanoTime", "currentTimeMillis"))
          .orShould()
          .accessTargetWhere(isOneOf(Instant.class, "now"))
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.time.Clock");

  @ArchTest
  static final ArchRule noClassUsesAPredictableRandom =
      noClasses().should().dependOnClassesThat().haveFullyQualifiedName("java.util.Random");

  @ArchTest
  static final ArchRule noClassSleeps =
      noClasses()
          .should()
          .accessTargetWhere(isOneOf(Thread.class, "sleep"))
          .orShould()
          .accessTargetWhere(isOneOf(TimeUnit.class, "sleep"));

  @ArchTest
  static void theRulesSeeTheClassesOfCore(JavaClasses classes) {
    assertThat(classes)
        .extracting(JavaClass::getPackageName)
        .contains(PUBLIC_API)
        .contains("io.syncguard.memory");
    assertThat(classes).extracting(JavaClass::getSimpleName).doesNotContain("ArchitectureTest");
  }

  @ArchTest
  static void theModuleExportsThePublicApiAndNothingElse(JavaClasses classes)
      throws IOException, URISyntaxException {
    Path root =
        Path.of(SyncGuard.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (InputStream in = Files.newInputStream(root.resolve("module-info.class"))) {
      assertThat(ModuleDescriptor.read(in).exports())
          .allMatch(exports -> !exports.isQualified())
          .extracting(ModuleDescriptor.Exports::source)
          .containsExactlyInAnyOrder(PUBLIC_API);
    }
  }

  @ArchTest
  static void theOnlyStoreThatCoreProvidesIsMemory(JavaClasses classes) {
    assertThat(ServiceLoader.load(StoreProvider.class))
        .extracting(provider -> provider.getClass().getName())
        .containsExactly("io.syncguard.memory.MemoryStoreProvider");
  }

  /** Calls and method references alike. */
  private static DescribedPredicate<JavaAccess<?>> isOneOf(Class<?> owner, String... names) {
    return DescribedPredicate.describe(
        "is one of " + owner.getSimpleName() + "." + List.of(names),
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && List.of(names).contains(access.getName()));
  }
}
