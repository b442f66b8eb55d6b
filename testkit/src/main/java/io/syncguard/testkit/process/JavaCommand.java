package io.syncguard.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start a small JVM with this one's class path. */
final class JavaCommand {

  private JavaCommand() {}

  static List<String> of(Class<?> main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(args);
    return command;
  }
}
