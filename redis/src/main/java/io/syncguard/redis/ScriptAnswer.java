package io.syncguard.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What our scripts answer: an integer, a string, nothing, or a flat list of strings. */
final class ScriptAnswer extends CommandOutput<String, String, Object> {

  private @Nullable List<String> elements;

  @SuppressWarnings("NullAway") // an output begins without a value
  ScriptAnswer() {
    super(StringCodec.UTF8, null);
  }

  @Override
  public void set(long integer) {
    output = integer;
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return;
    }
    String text = StringCodec.UTF8.decodeValue(bytes);
    if (elements == null) {
      output = text;
    } else {
      elements.add(text);
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
