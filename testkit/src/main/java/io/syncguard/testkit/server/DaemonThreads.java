package io.syncguard.testkit.server;

/** Starts threads that do not keep the JVM alive. */
final class DaemonThreads {
  private DaemonThreads() {}

  static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
