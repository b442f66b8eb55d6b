package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.testkit.server.FirestoreEmulator;
import io.syncguard.testkit.server.PostgresDatabase;
import io.syncguard.testkit.server.RedisCluster;
import io.syncguard.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** A store that all commands of the matrix share; started when the first of them needs it. */
final class SharedStore implements AutoCloseable {

  enum Kind {
    SQLITE,
    REDIS,
    REDIS_CLUSTER,
    POSTGRESQL,
    FIRESTORE
  }

  private final Kind kind;
  private final Path home;
  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
  private SyncGuard guard;
  private Syncguard syncguard;

  SharedStore(Kind kind, Path home) {
    this.kind = kind;
    this.home = home;
  }

  /** Returns the library on it. */
  synchronized SyncGuard guard() throws Exception {
    open();
    return guard;
  }

  /** Returns the command on it. */
  synchronized Syncguard syncguard() throws Exception {
    open();
    return syncguard;
  }

  private void open() throws Exception {
    if (guard == null) {
      String uri = patient(start());
      syncguard = Syncguard.on(uri, home);
      Outcome setUp = syncguard.run("setup");
      assertThat(setUp.code()).as("%s", setUp).isZero();
      guard = closedLater(SyncGuard.open(uri));
    }
  }

  private String start() {
    return switch (kind) {
      case SQLITE -> "sqlite:" + home.resolve("matrix.db");
      case REDIS -> closedLater(RedisServer.start()).uri();
      case REDIS_CLUSTER ->
          closedLater(RedisCluster.start()).uris().get(0).replaceFirst("^redis:", "redis-cluster:");
      case POSTGRESQL -> closedLater(PostgresDatabase.create(18)).uri();
      case FIRESTORE ->
          "firestore://"
              + FirestoreEmulator.newProject()
              + "?emulator="
              + FirestoreEmulator.hostAndPort();
    };
  }

  /** Many commands start at once, on a machine that may be small. */
  private String patient(String uri) {
    return kind == Kind.SQLITE ? uri : uri + (uri.contains("?") ? "&" : "?") + "timeout=30s";
  }

  private <T extends AutoCloseable> T closedLater(T started) {
    toClose.push(started);
    return started;
  }

  @Override
  public synchronized void close() throws Exception {
    for (AutoCloseable started : toClose) {
      started.close();
    }
  }
}
