package io.syncguard.bench.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The text of a script: the seed's are beside this class, ours are in the Redis store's jar. */
final class LuaFile {

  private static final String OURS = "io/syncguard/redis/";
  private static final String SEEDS = "io/syncguard/bench/redis/";

  private LuaFile() {}

  /** Returns a script of ours, such as {@code lock/acquire.lua}. */
  static String ofOurs(String path) {
    return read(OURS + path);
  }

  /** Returns a script of the seed, such as {@code seed_acquire.lua}. */
  static String ofSeed(String name) {
    return read(SEEDS + name);
  }

  private static String read(String path) {
    try (InputStream file = LuaFile.class.getClassLoader().getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("Missing in this jar: " + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
