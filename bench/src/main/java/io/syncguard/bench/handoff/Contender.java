package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.WaitingContestant;
import io.syncguard.bench.redis.Server;
import io.syncguard.bench.redis.lock.RedissonLocks;
import io.syncguard.bench.redis.lock.SpringLocks;
import io.syncguard.bench.redis.lock.SyncGuardLocks;
import io.syncguard.bench.redis.semaphore.SyncGuardSemaphores;
import io.syncguard.testkit.server.PostgresAddress;
import java.util.Locale;
import java.util.function.Function;

/** Who takes part, and how one client of it is opened. */
enum Contender {
  LOCK("SyncGuard lock"),
  SEMAPHORE("SyncGuard semaphore, limit 1"),
  REDISSON("Redisson RLock"),
  FAIR("Redisson RFairLock"),
  SPRING("Spring Integration, pub/sub"),
  SQL_LOCK("SyncGuard lock"),
  SQL_SPRING("Spring Integration");

  /** Opens one client after another. */
  interface Opening {

    WaitingContestant open() throws Exception;
  }

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  private static Opening onRedis(String uri, Function<Server, WaitingContestant> client) {
    Server server = Server.at(uri);
    return () -> client.apply(server);
  }

  private static WaitingContestant springOnPostgres(String uri) {
    return io.syncguard.bench.sql.contestant.SpringLocks.open(PostgresAddress.parse(uri));
  }

  /** Returns how this process opens clients of the server at this URI. */
  Opening openingAt(String uri) {
    return switch (this) {
      case LOCK -> onRedis(uri, SyncGuardLocks::new);
      case SEMAPHORE -> onRedis(uri, server -> new SyncGuardSemaphores(server, 1));
      case REDISSON -> onRedis(uri, RedissonLocks::plainOfOneThread);
      case FAIR -> onRedis(uri, RedissonLocks::fairOfOneThread);
      case SPRING -> onRedis(uri, SpringLocks::notified);
      case SQL_LOCK -> () -> new SyncGuardLocks(uri);
      case SQL_SPRING -> () -> springOnPostgres(uri);
    };
  }

  String title() {
    return title;
  }

  /** Returns how it is called on the command line. */
  String word() {
    String name = name().toLowerCase(Locale.ROOT);
    return name.startsWith("sql_") ? name.substring("sql_".length()) : name;
  }
}
