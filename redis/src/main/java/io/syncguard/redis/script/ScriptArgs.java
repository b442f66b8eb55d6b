package io.syncguard.redis.script;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a script's call as they are sent. The calling thread puts them together, so that
 * the thread that sends for all has only to copy them. Shows no key and no id where Lettuce logs
 * its commands.
 */
final class ScriptArgs extends CommandArgs<String, String> {

  private static final int USUAL_LENGTH = 640;

  private final int count;
  private final @Nullable String firstKey;
  private byte[] encoded = new byte[USUAL_LENGTH];
  private int length;

  /** Encodes a call. */
  ScriptArgs(String scriptOrDigest, ScriptCall call) {
    super(StringCodec.UTF8);
    this.count = 2 + call.keys().size() + call.arguments().size();
    this.firstKey = call.keys().isEmpty() ? null : call.keys().get(0);
    append(scriptOrDigest);
    append(Integer.toString(call.keys().size()));
    for (String key : call.keys()) {
      append(key);
    }
    for (Object argument : call.arguments()) {
      if (argument instanceof byte[] bytes) {
        append(bytes);
      } else {
        append((String) argument);
      }
    }
  }

  private void append(String text) {
    append(text.getBytes(StandardCharsets.UTF_8));
  }

  private void append(byte[] argument) {
    makeRoomFor(argument.length + 16);
    encoded[length++] = '$';
    appendDigits(argument.length);
    appendLineEnd();
    System.arraycopy(argument, 0, encoded, length, argument.length);
    length += argument.length;
    appendLineEnd();
  }

  private void makeRoomFor(int more) {
    if (encoded.length - length < more) {
      encoded = Arrays.copyOf(encoded, Math.max(encoded.length * 2, length + more));
    }
  }

  private void appendDigits(int number) {
    if (number >= 10) {
      appendDigits(number / 10);
    }
    encoded[length++] = (byte) ('0' + number % 10);
  }

  private void appendLineEnd() {
    encoded[length++] = '\r';
    encoded[length++] = '\n';
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void encode(ByteBuf target) {
    target.writeBytes(encoded, 0, length);
  }

  /** A cluster chooses the node by it. */
  @Override
  public @Nullable ByteBuffer getFirstEncodedKey() {
    return firstKey == null ? null : StringCodec.UTF8.encodeKey(firstKey);
  }

  @Override
  public String toCommandString() {
    return count + " arguments";
  }

  @Override
  public String toString() {
    return "ScriptArgs[" + toCommandString() + "]";
  }
}
