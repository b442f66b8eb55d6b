package io.syncguard.cli.process;

/** Which processes got a signal that this process got. */
enum Reach {
  /** This process alone. */
  ALONE,

  /** All of this process's group, as from a terminal or from {@code timeout}. */
  GROUP,

  /** Each process that this process started, whatever its group, as from systemd. */
  SERVICE
}
