package io.syncguard.redis.script;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the scripts answer: an integer, a string, nothing, or a flat list of integers, strings or
 * bytes.
 */
public final class ScriptAnswer extends CommandOutput<String, String, Object> {

  private final Function<ByteBuffer, Object> decoding;
  private @Nullable List<Object> elements;

  @SuppressWarnings("NullAway") // an output begins without a value
  private ScriptAnswer(Function<ByteBuffer, Object> decoding) {
    super(StringCodec.UTF8, null);
    this.decoding = decoding;
  }

  static ScriptAnswer to(RedisScript script) {
    return script.answersBytes()
        ? new ScriptAnswer(ByteArrayCodec.INSTANCE::decodeValue)
        : new ScriptAnswer(StringCodec.UTF8::decodeValue);
  }

  /** Returns an answer that is a list. */
  public static List<?> list(@Nullable Object answer) {
    if (answer instanceof List<?> fields) {
      return fields;
    }
    throw new IllegalStateException("A script answered something else than a list");
  }

  /** Returns an answer, or a field of one, that is an integer. */
  public static long number(@Nullable Object answer) {
    if (answer instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("A script answered something else than an integer");
  }

  @Override
  public void set(long integer) {
    add(integer);
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    if (bytes != null) {
      add(decoding.apply(bytes));
    }
  }

  private void add(Object answered) {
    if (elements == null) {
      output = answered;
    } else {
      elements.add(answered);
    }
  }

  @Override
  public void multi(int count) {
    if (count >= 0) {
      elements = new ArrayList<>(count);
      output = elements;
    }
  }
}
