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
  CLEANUP("lock/cleanup.lua");

  private final String source;
  private final String digest;

  Script(String path) {
    try (InputStream file = Script.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("Missing in this jar: " + path);
      }
      byte[] text = file.readAllBytes();
      this.source = new String(text, StandardCharsets.UTF_8);
      this.digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-1", e);
    }
  }

  String source() {
    return source;
  }

  String digest() {
    return digest;
  }
}
