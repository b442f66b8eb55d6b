package io.syncguard.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What our scripts answer: an integer, a string, nothing, or a flat list of integers, strings or
 * bytes.
 */
final class ScriptAnswer extends CommandOutput<String, String, Object> {

  private final Function<ByteBuffer, Object> decoding;
  private @Nullable List<Object> elements;

  @SuppressWarnings("NullAway") // an output begins without a value
  private ScriptAnswer(Function<ByteBuffer, Object> decoding) {
    super(StringCodec.UTF8, null);
    this.decoding = decoding;
  }

  static ScriptAnswer to(Script script) {
    return script.answersBytes()
        ? new ScriptAnswer(ByteArrayCodec.INSTANCE::decodeValue)
        : new ScriptAnswer(StringCodec.UTF8::decodeValue);
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
