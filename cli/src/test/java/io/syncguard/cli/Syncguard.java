package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The real command, as the build laid it out, in its own environment. */
final class Syncguard {

  static final Path COMMAND = Path.of(System.getProperty("syncguard.command"));

  private final Path home;
  private final Map<String, String> environment;

  /** Has a home, which is also where output is kept, and an environment. */
  Syncguard(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
  }

  static Syncguard on(String uri, Path home) {
    return new Syncguard(home, Map.of("SYNCGUARD_URI", uri));
  }

  /** Blocks until the command has ended; it gets no input. */
  Outcome run(String... args) throws IOException, InterruptedException {
    return runWithInput(new byte[0], args);
  }

  Outcome runWithInput(String input, String... args) throws IOException, InterruptedException {
    return runWithInput(input.getBytes(UTF_8), args);
  }

  Outcome runWithInput(byte[] input, String... args) throws IOException, InterruptedException {
    try (RunningCommand running = start(args)) {
      running.process().getOutputStream().write(input);
      return running.end();
    }
  }

  RunningCommand start(String... args) throws IOException {
    return start(List.of(COMMAND.toString()), args);
  }

  /** As the launcher would from a terminal; the digits say what of input, output and errors is. */
  RunningCommand startOnTerminal(String terminals, String... args) throws IOException {
    Path jar = COMMAND.resolveSibling("../lib/syncguard.jar");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String itsHome = "-Duser.home=" + home;
    String itsTerminals = "-Dsyncguard.terminals=" + terminals;
    String archive = "-XX:SharedArchiveFile=" + COMMAND.resolveSibling("../lib/syncguard.jsa");
    return start(
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xlog:disable",
            archive,
            itsHome,
            itsTerminals,
            "-jar",
            jar.toString()),
        args);
  }

  RunningCommand start(List<String> program, String... args) throws IOException {
    List<String> words = new ArrayList<>(program);
    words.addAll(List.of(args));
    ProcessBuilder command = new ProcessBuilder(words);
    command.environment().keySet().removeIf(name -> name.startsWith("SYNCGUARD_"));
    command.environment().remove("NO_COLOR");
    command.environment().put("HOME", home.toString());
    command.environment().putAll(environment);
    return RunningCommand.start(command, home);
  }
}
