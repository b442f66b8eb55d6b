package io.syncguard.cli;

import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes subcommands, which get the command that they belong to. */
final class CommandFactory implements IFactory {

  private final SyncguardCommand command;

  CommandFactory(SyncguardCommand command) {
    this.command = command;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == 1
          && constructor.getParameterTypes()[0] == SyncguardCommand.class) {
        return type.cast(constructor.newInstance(command));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
