package io.syncguard.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The Lua scripts, each a file among the resources. */
public enum RedisScript {
  ACQUIRE("lock/acquire.lua"),
  RELEASE("lock/release.lua"),
  KEEP_WAITING("lock/keep_waiting.lua"),
  EXTEND("lock/extend.lua"),
  IS_LOCKED("lock/is_locked.lua"),
  LOOKUP("lock/lookup.lua"),
  LOOKUP_BY_ID("lock/lookup_by_id.lua"),
  CLEANUP("lock/cleanup.lua"),
  SEMAPHORE_ACQUIRE("semaphore/acquire.lua"),
  SEMAPHORE_CONFIRM("semaphore/confirm.lua"),
  SEMAPHORE_RELEASE("semaphore/release.lua"),
  SEMAPHORE_PING("semaphore/ping.lua"),
  SEMAPHORE_RESIZE("semaphore/resize.lua"),
  SEMAPHORE_CARD("semaphore/card.lua"),
  SEMAPHORE_STOP_LISTENING("semaphore/stop_listening.lua"),
  SECRET_PUT("secret/put.lua"),
  SECRET_VIEW("secret/view.lua"),
  SECRET_PEEK("secret/peek.lua"),
  COUNTER_INCREMENT("limit/increment.lua"),
  COUNTER_CURRENT("limit/current.lua"),
  RATE_ACQUIRE("limit/acquire.lua"),
  DELETE("key/delete.lua");

  private final String file;
  private final String source;
  private final String digest;

  RedisScript(String file) {
    this.file = file;
    this.source = ScriptText.ofResource(file);
    try {
      byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
      this.digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-1", e);
    }
  }

  /** Returns whether what it answers is not text. */
  boolean answersBytes() {
    return this == SECRET_VIEW;
  }

  /** Returns the file's path among the resources. */
  String file() {
    return file;
  }

  /** Returns what Redis runs: the file's text with its parts. */
  public String source() {
    return source;
  }

  /** Returns what Redis knows the text by. */
  public String digest() {
    return digest;
  }
}
