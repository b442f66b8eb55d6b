package io.syncguard.bench.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a script: the seed's are beside this class, SyncGuard's are in the store's jar. */
public final class LuaFile {

  private static final String STORES = "io/syncguard/redis/";
  private static final String SEEDS = "io/syncguard/bench/redis/";

  /** What the store's own ScriptText reads, and refuses if it is wrong. */
  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^ *-- include(?: again)? (part/[a-z_]+\\.lua)\\R");

  private static final Pattern NO_CODE = Pattern.compile("(?m)^ *(--.*)?\\R");

  private LuaFile() {}

  /** Returns a script of the store, such as {@code lock/acquire.lua}, as the store sends it. */
  public static String ofStore(String path) {
    String folder = STORES + path.substring(0, path.lastIndexOf('/') + 1);
    String whole =
        INCLUDE
            .matcher(read(STORES + path))
            .replaceAll(found -> Matcher.quoteReplacement(read(folder + found.group(1))));
    return NO_CODE.matcher(whole).replaceAll("");
  }

  /** Returns a script of the seed, such as {@code seed_acquire.lua}. */
  public static String ofSeed(String name) {
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
