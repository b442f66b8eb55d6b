package io.syncguard.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.cli.output.Exit;
import io.syncguard.cli.output.Failure;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where programs are found, as the system looks for them. */
public final class Programs {

  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  /** As much as Linux reads of it. */
  private static final int LONGEST_FIRST_LINE = 256;

  private static final Pattern FIRST_LINE = Pattern.compile("#![ \\t]*([^ \\t\\n]+)");

  private Programs() {}

  /** Returns whether there is a program of this name, or at this path. */
  public static boolean exists(String name) {
    return candidates(name).anyMatch(Programs::isProgram);
  }

  /** Returns why this cannot be run; empty if it can. */
  static Optional<Failure> refusal(String name) {
    List<Path> programs = candidates(name).filter(Programs::isProgram).toList();
    if (programs.isEmpty()) {
      boolean isThere = candidates(name).anyMatch(Files::exists);
      return Optional.of(
          Failure.notStarted(isThere ? Exit.NOT_EXECUTABLE : Exit.NO_SUCH_COMMAND, name));
    }
    // As the system does, which goes on to the next program if an interpreter is missing.
    List<Optional<Failure>> refusals = programs.stream().map(Programs::interpreterRefusal).toList();
    return refusals.contains(Optional.<Failure>empty()) ? Optional.empty() : refusals.get(0);
  }

  private static Optional<Failure> interpreterRefusal(Path script) {
    return interpreter(script)
        .filter(interpreter -> !isProgram(interpreter))
        .map(
            interpreter ->
                Failure.notStarted(
                    Files.exists(interpreter) ? Exit.NOT_EXECUTABLE : Exit.NO_SUCH_COMMAND,
                    interpreter + " (the interpreter of " + script + ")"));
  }

  /** Returns what the first line of a script names, if this is a script that names something. */
  private static Optional<Path> interpreter(Path program) {
    try (InputStream file = Files.newInputStream(program)) {
      String begin = new String(file.readNBytes(LONGEST_FIRST_LINE), UTF_8);
      Matcher line = FIRST_LINE.matcher(begin);
      return line.lookingAt() ? Optional.of(Path.of(line.group(1))) : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      // What may be run need not be readable.
      return Optional.empty();
    }
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private static Stream<Path> candidates(String name) {
    try {
      if (name.isEmpty()) {
        return Stream.empty();
      }
      if (name.contains("/")) {
        return Stream.of(Path.of(name));
      }
      String path = System.getenv("PATH");
      return Pattern.compile(File.pathSeparator)
          .splitAsStream(path == null ? USUAL_PATH : path)
          .map(directory -> Path.of(directory.isEmpty() ? "." : directory, name));
    } catch (InvalidPathException e) {
      return Stream.empty();
    }
  }
}
