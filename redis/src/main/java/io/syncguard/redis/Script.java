package io.syncguard.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The Lua scripts, each a file among the resources, and the digest that Redis knows it by. */
enum Script {
  ACQUIRE("lock/acquire.lua"),
  RELEASE("lock/release.lua"),
  HAND_OVER("lock/hand_over.lua"),
  EXTEND("lock/extend.lua"),
  IS_LOCKED("lock/is_locked.lua"),
  LOOKUP("lock/lookup.lua"),
  LOOKUP_BY_ID("lock/lookup_by_id.lua"),
  CLEANUP("lock/cleanup.lua"),
  SEMAPHORE_ACQUIRE(
      "semaphore/names.lua",
      "semaphore/clock.lua",
      "semaphore/terms.lua",
      "semaphore/acquire_free.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/outlive.lua",
      "semaphore/acquire_granted.lua",
      "semaphore/acquire_usual.lua",
      "semaphore/take.lua",
      "semaphore/queue.lua",
      "semaphore/forget_the_dead.lua",
      "semaphore/wake_up_nexts.lua",
      "semaphore/settle.lua",
      "semaphore/acquire_granted.lua",
      "semaphore/acquire.lua",
      "semaphore/take.lua",
      "semaphore/queue.lua"),
  SEMAPHORE_CONFIRM(
      "semaphore/names.lua",
      "semaphore/clock.lua",
      "semaphore/terms.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/outlive.lua",
      "semaphore/acquire_granted.lua",
      "semaphore/confirm.lua"),
  SEMAPHORE_RELEASE(
      "semaphore/names.lua",
      "semaphore/release_free.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/clock.lua",
      "semaphore/outlive.lua",
      "semaphore/release_usual.lua",
      "semaphore/forget_the_dead.lua",
      "semaphore/wake_up_nexts.lua",
      "semaphore/release.lua"),
  SEMAPHORE_PING(
      "semaphore/names.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/clock.lua",
      "semaphore/outlive.lua",
      "semaphore/forget_the_dead.lua",
      "semaphore/wake_up_nexts.lua",
      "semaphore/settle.lua",
      "semaphore/ping.lua"),
  SEMAPHORE_RESIZE(
      "semaphore/names.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/clock.lua",
      "semaphore/outlive.lua",
      "semaphore/forget_the_dead.lua",
      "semaphore/wake_up_nexts.lua",
      "semaphore/resize.lua"),
  SEMAPHORE_CARD(
      "semaphore/names.lua",
      "semaphore/names_of_waiters.lua",
      "semaphore/clock.lua",
      "semaphore/card.lua"),
  SEMAPHORE_STOP_LISTENING("semaphore/stop_listening.lua"),
  SECRET_PUT("secret/read.lua", "secret/put.lua"),
  SECRET_VIEW("secret/read.lua", "secret/view.lua"),
  SECRET_PEEK("secret/read.lua", "secret/peek.lua"),
  COUNTER_INCREMENT("limit/read.lua", "limit/increment.lua"),
  COUNTER_CURRENT("limit/read.lua", "limit/current.lua"),
  RATE_ACQUIRE("limit/acquire.lua"),
  DELETE("key/delete.lua");

  private final String source;
  private final String digest;

  /** Redis scripts cannot call each other: what they share is put in front of them. */
  Script(String... parts) {
    StringBuilder text = new StringBuilder();
    for (String part : parts) {
      text.append(read(part));
    }
    this.source = text.toString();
    try {
      byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
      this.digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-1", e);
    }
  }

  private static String read(String path) {
    try (InputStream file = Script.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("Missing in this jar: " + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether what it answers is not text. */
  boolean answersBytes() {
    return this == SECRET_VIEW;
  }

  String source() {
    return source;
  }

  String digest() {
    return digest;
  }
}
