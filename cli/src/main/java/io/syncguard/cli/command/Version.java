package io.syncguard.cli.command;

import picocli.CommandLine.IVersionProvider;

/** Which version this is, as the jar says. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"syncguard " + (version == null ? "(not packaged)" : version)};
  }
}
