package io.syncguard.cli.command;

import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes subcommands with the command that they belong to. */
public final class CommandFactory implements IFactory {

  private final SyncguardCommand command;

  public CommandFactory(SyncguardCommand command) {
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
