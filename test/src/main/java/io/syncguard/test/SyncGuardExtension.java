package io.syncguard.test;

import io.syncguard.SyncGuard;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit its own {@link SyncGuard} in memory, and the {@link MovableTime} that it
 * runs on, as parameters of test methods and of those before and after each test. A test that
 * leaves a lock or a permit held fails.
 *
 * <pre>{@code
 * @ExtendWith(SyncGuardExtension.class)
 * class ReportTest {
 *   @Test
 *   void aReportIsWrittenOnce(SyncGuard guard, MovableTime time) { ... }
 * }
 * }</pre>
 *
 * <p>Time flows, unless {@code @RegisterExtension static SyncGuardExtension syncguard =
 * SyncGuardExtension.withFrozenTime()} says otherwise.
 */
public final class SyncGuardExtension implements AfterEachCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(SyncGuardExtension.class);
  private static final Set<Class<?>> TYPES = Set.of(SyncGuard.class, MovableTime.class);

  private final boolean frozen;
  private final boolean lenient;

  /** With time that flows, and an eye on what is left held. */
  public SyncGuardExtension() {
    this(false, false);
  }

  private SyncGuardExtension(boolean frozen, boolean lenient) {
    this.frozen = frozen;
    this.lenient = lenient;
  }

  /** Returns an extension whose time flows, as that of the machine does, and can be moved. */
  public static SyncGuardExtension withFlowingTime() {
    return new SyncGuardExtension(false, false);
  }

  /** Returns an extension whose time stands still until it is moved or waited for. */
  public static SyncGuardExtension withFrozenTime() {
    return new SyncGuardExtension(true, false);
  }

  /** Returns this one, but tests may end with locks and permits that are still held. */
  public SyncGuardExtension allowingLeftovers() {
    return new SyncGuardExtension(frozen, true);
  }

  /**
   * Only where a test is under way: what is made before would be shared by all tests of a class.
   */
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return TYPES.contains(parameter.getParameter().getType())
        && context.getTestMethod().isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // Not by the methods that compute what is absent: JUnit 5 and 6 have different ones.
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    TestedGuard tested = store.get(TestedGuard.class, TestedGuard.class);
    if (tested == null) {
      tested = new TestedGuard(frozen);
      store.put(TestedGuard.class, tested);
    }
    return parameter.getParameter().getType() == SyncGuard.class ? tested.guard() : tested.time();
  }

  /** A failure of the test itself is not hidden by what it therefore left behind. */
  @Override
  public void afterEach(ExtensionContext context) {
    TestedGuard tested = context.getStore(NAMESPACE).remove(TestedGuard.class, TestedGuard.class);
    if (tested != null) {
      try {
        if (!lenient && context.getExecutionException().isEmpty()) {
          tested.failIfAnythingIsHeld();
        }
      } finally {
        tested.close();
      }
    }
  }
}
