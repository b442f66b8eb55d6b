package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.cli.SharedStore.Kind;
import io.syncguard.cli.command.SyncguardCommand;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every subcommand, as it is laid out, on every store. */
@Execution(ExecutionMode.CONCURRENT)
class CommandMatrixTest {

  /** What Firestore does not have. */
  private static final List<String> NOT_ON_FIRESTORE =
      List.of("run --semaphore", "ls of semaphores", "semaphore ", "secret ", "limit ");

  private static final Set<String> WITHOUT_A_STORE = Set.of("completion", "warm-up");

  @TempDir private static Path home;
  private static final Map<Kind, SharedStore> STORES = new EnumMap<>(Kind.class);

  /** The first run takes longer, as it makes the archive of classes. */
  @BeforeAll
  static void runOnce() throws Exception {
    assertThat(Syncguard.on("memory:", home).run("--version").code()).isZero();
    for (Kind kind : Kind.values()) {
      STORES.put(kind, new SharedStore(kind, home));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (SharedStore store : STORES.values()) {
      store.close();
    }
  }

  static Stream<Arguments> matrix() {
    return CommandCases.ALL.keySet().stream()
        .flatMap(
            command ->
                Stream.of(Kind.values())
                    .filter(kind -> isIn(command, kind))
                    .map(kind -> Arguments.of(command, kind)));
  }

  private static boolean isIn(String command, Kind kind) {
    if (WITHOUT_A_STORE.contains(command)) {
      return kind == Kind.SQLITE;
    }
    return kind != Kind.FIRESTORE || NOT_ON_FIRESTORE.stream().noneMatch(command::startsWith);
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("matrix")
  void worksOn(String command, Kind kind) throws Exception {
    SharedStore store = STORES.get(kind);
    CommandCases.ALL.get(command).check(store.guard(), store.syncguard());
  }

  @ParameterizedTest
  @ValueSource(strings = {"semaphore stats k", "secret put", "limit show k"})
  void whatFirestoreDoesNotHaveIsRefusedThere(String command) throws Exception {
    Outcome refused = STORES.get(Kind.FIRESTORE).syncguard().run(command.split(" ", -1));
    assertThat(refused.code()).as("%s", refused).isEqualTo(64);
    assertThat(refused.errors().lines()).hasSize(1).first().asString().contains("not supported");
  }

  @Test
  void noSubcommandIsMissingFromTheMatrix() {
    assertThat(CommandCases.ALL.keySet())
        .containsAll(new TreeSet<>(leaves("", Main.commandLine(new SyncguardCommand())).toList()));
  }

  private static Stream<String> leaves(String path, CommandLine command) {
    return command.getSubcommands().isEmpty()
        ? Stream.of(path.strip())
        : command.getSubcommands().entrySet().stream()
            .flatMap(entry -> leaves(path + " " + entry.getKey(), entry.getValue()));
  }
}
