package io.syncguard.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Sessions of the operating system, which hold a command and what it started together. */
final class Sessions {

  private static final Path PROCESSES = Path.of("/proc");
  private static final Path TERMINAL = Path.of("/dev/tty");

  private static final String BEGIN = "setsid";

  /** The fields of /proc/PID/stat behind the name, which may contain anything: state, parent, … */
  private static final int GROUP = 2;

  private static final int SESSION = 3;

  private Sessions() {}

  /** Returns whether this process has a terminal, whatever its input is. */
  static boolean hasTerminal() {
    try (var terminal = Files.newInputStream(TERMINAL)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether a command can have its own session. */
  static boolean canBegin() {
    return Programs.exists(BEGIN);
  }

  /** Returns the words that start this command in its own session, in the same process. */
  static List<String> inNew(List<String> command) {
    List<String> words = new ArrayList<>(List.of(BEGIN, "--"));
    words.addAll(command);
    return words;
  }

  /** Returns whether a process has left the group of this one, where the system tells. */
  static boolean hasLeftGroup(long pid) {
    Optional<Long> its = field(GROUP, pid);
    return its.isPresent() && !its.equals(field(GROUP, ProcessHandle.current().pid()));
  }

  /**
   * Returns the live processes of a session, where the system tells; otherwise none.
   *
   * @param leader the process that began it, which may have ended
   */
  static Stream<ProcessHandle> members(ProcessHandle leader) {
    if (!Files.isDirectory(PROCESSES) || isTakenByAnother(leader)) {
      return Stream.empty();
    }
    return ProcessHandle.allProcesses().filter(process -> isIn(leader.pid(), process));
  }

  /** A session keeps its id from being used again, so that such a session has no members left. */
  private static boolean isTakenByAnother(ProcessHandle leader) {
    return ProcessHandle.of(leader.pid()).filter(now -> !now.equals(leader)).isPresent();
  }

  private static boolean isIn(long session, ProcessHandle process) {
    return field(SESSION, process.pid()).filter(id -> id == session).isPresent();
  }

  private static Optional<Long> field(int index, long pid) {
    try {
      String stat = Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
      return fields.length > index ? Optional.of(Long.valueOf(fields[index])) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      // It has ended, or this is not Linux.
      return Optional.empty();
    }
  }
}
