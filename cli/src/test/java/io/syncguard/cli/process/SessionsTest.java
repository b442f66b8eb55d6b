package io.syncguard.cli.process;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {

  @Test
  void aSessionIsItsLeadersOnlyUntilAnotherProcessHasTheId() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc")) && Sessions.canBegin());
    Process leader = new ProcessBuilder(Sessions.inNew(List.of("cat"))).start();
    try {
      ProcessHandle handle = leader.toHandle();
      eventually(() -> assertThat(Sessions.members(handle)).containsExactly(handle));
      assertThat(Sessions.members(endedOneWithTheIdOf(handle))).isEmpty();
    } finally {
      leader.destroyForcibly();
    }
  }

  /** Equal to no live process, though one has its id. */
  private static ProcessHandle endedOneWithTheIdOf(ProcessHandle live) {
    return (ProcessHandle)
        Proxy.newProxyInstance(
            SessionsTest.class.getClassLoader(),
            new Class<?>[] {ProcessHandle.class},
            (proxy, method, arguments) -> method.getName().equals("pid") ? live.pid() : false);
  }
}
