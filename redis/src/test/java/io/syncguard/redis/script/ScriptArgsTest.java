package io.syncguard.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That a call is encoded as Lettuce would do it. */
class ScriptArgsTest {

  private static String encoded(CommandArgs<String, String> args) {
    ByteBuf buffer = Unpooled.buffer();
    args.encode(buffer);
    return buffer.toString(StandardCharsets.ISO_8859_1);
  }

  private static ScriptArgs args(List<String> keys, List<?> arguments) {
    return new ScriptArgs("digest", new ScriptCall(RedisScript.ACQUIRE, keys, arguments));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 99, 100, 600, 640, 10_000})
  void whatIsSentIsWhatLettuceWouldSend(int length) {
    String text = "\u00e4\u20ac\ud83d\ude80".repeat(length) + "x".repeat(length);
    byte[] bytes = new byte[length];
    IntStream.range(0, length).forEach(i -> bytes[i] = (byte) i);
    CommandArgs<String, String> lettuces =
        new CommandArgs<>(StringCodec.UTF8)
            .add("digest")
            .add(2)
            .addKey(text)
            .addKey("second")
            .addValue(text)
            .add(bytes);
    ScriptArgs ours = args(List.of(text, "second"), List.of(text, bytes));
    assertThat(encoded(ours)).isEqualTo(encoded(lettuces));
    assertThat(ours.count()).isEqualTo(lettuces.count());
    assertThat(ours.getFirstEncodedKey()).isEqualTo(lettuces.getFirstEncodedKey());
  }

  @Test
  void aCallWithoutKeysBelongsToNoNode() {
    assertThat(args(List.of(), List.of()).getFirstEncodedKey()).isNull();
  }

  @Test
  void neitherKeysNorIdsAreShown() {
    ScriptArgs args = args(List.of("a-key"), List.of("an-id"));
    assertThat(args + args.toCommandString()).doesNotContain("a-key", "an-id", "digest");
  }
}
