package io.syncguard.redis;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.redis.RedisOptions.Fences;
import io.syncguard.redis.RedisOptions.Releases;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

  private static final String SECRET = "h4nter2";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:h4nter2@host:99999999",
        "redis://u:h4nter2@",
        "redis://u:h4nter2@ho st:6379",
        "redis://u:h4nter2@host:6379/x y",
        "redis://u:h4nter2@[::1:6379",
        "redis:h4nter2",
        "redis-sentinel://:h4nter2@host:26379",
        "redis-cluster://:h4nter2@",
        "redis-cluster://u:h4nter2@host:1,other:h4nter2",
        "h4nter2",
        "://h4nter2",
        "http://u:h4nter2@host",
        "redis-unknown://u:h4nter2@host",
        "redis://u:h4nter2@host?keyPrefix=id",
        "redis://u:h4nter2@host?keyPrefix=",
        "redis://u:h4nter2@host?keyPrefix",
        "redis://u:h4nter2@host?semaphoreNamespace=a*b",
        "redis://u:h4nter2@host?semaphoreNamespace=",
        "redis://u:h4nter2@host?cleanupInIsLocked=perhaps",
        "redis://u:h4nter2@host?fences=h4nter2",
        "redis://u:h4nter2@host?releases=h4nter2",
        "redis://u:h4nter2@host?timeout=0s",
        "redis://u:a?h4nter2=c&d@host",
      })
  void aBadUriIsRefusedWithoutRepeatingAnyOfIt(String uri) {
    Exception failure =
        assertFails(Code.INVALID_ARGUMENT, () -> RedisUri.parse(uri, RedisOptions.defaults()));
    assertThat(printed(failure)).doesNotContain(SECRET).doesNotContain("u:").doesNotContain(uri);
  }

  @Test
  void aServerThatIsNotThereIsReportedWithoutThePassword() {
    Exception failure =
        assertFails(
            Code.SERVICE_UNAVAILABLE,
            () -> RedisStore.connect("redis://somebody:" + SECRET + "@127.0.0.1:1/3"));
    assertThat(printed(failure)).doesNotContain(SECRET);
  }

  @Test
  void anUnknownSchemeIsReportedWithTheKnownOnes() {
    Exception failure =
        assertFails(
            Code.INVALID_ARGUMENT, () -> SyncGuard.open("redis-unknown://u:" + SECRET + "@host"));
    assertThat(failure).hasMessageContaining("redis-sentinel").hasMessageContaining("memory");
    assertThat(printed(failure)).doesNotContain(SECRET);
  }

  @Test
  void hostPortDatabaseUserAndPasswordAreTaken() {
    RedisURI server = single("redis://user:p%40ss@host:6380/7");
    assertThat(server.getHost()).isEqualTo("host");
    assertThat(server.getPort()).isEqualTo(6380);
    assertThat(server.getDatabase()).isEqualTo(7);
    assertThat(server.getCredentialsProvider().resolveCredentials().block())
        .satisfies(
            who -> {
              assertThat(who.getUsername()).isEqualTo("user");
              assertThat(who.getPassword()).containsExactly("p@ss".toCharArray());
            });
    assertThat(single("redis://host").getPort()).isEqualTo(6379);
    assertThat(single("REDISS://host").isSsl()).isTrue();
  }

  @Test
  void aSentinelUriNamesTheMasterAndAllSentinels() {
    RedisURI servers = single("redis-sentinel://:pw@a:1,b:2/3#main");
    assertThat(servers.getSentinelMasterId()).isEqualTo("main");
    assertThat(servers.getDatabase()).isEqualTo(3);
    assertThat(servers.getSentinels()).extracting(RedisURI::getHost).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:pw@a",
        "redis://user:pw@a",
        "redis-sentinel://:pw@a:1,b:2#main",
        "redis-cluster://user:pw@a:1,b:2"
      })
  void credentialsAreThereWhenLettuceConnects(String uri) {
    assertThat(parsed(uri).servers())
        .flatMap(
            server -> Stream.concat(Stream.of(server), server.getSentinels().stream()).toList())
        .extracting(RedisURI::getCredentialsProvider)
        .allMatch(ImmediateRedisCredentialsProvider.class::isInstance);
    assertThat(parsed(uri).servers())
        .allSatisfy(
            server ->
                assertThat(
                        server.getCredentialsProvider().resolveCredentials().block().getPassword())
                    .containsExactly('p', 'w'));
  }

  @ParameterizedTest
  @CsvSource({"redis-cluster, false", "rediss-cluster, true"})
  void aClusterUriNamesSomeNodes(String scheme, boolean tls) {
    RedisUri uri = parsed(scheme + "://a:1,b:2");
    assertThat(uri.cluster()).isTrue();
    assertThat(uri.servers()).extracting(RedisURI::getPort).containsExactly(1, 2);
    assertThat(uri.servers()).extracting(RedisURI::isSsl).containsOnly(tls);
  }

  @Test
  void ourParametersPrevailOverTheOptionsAndOthersAreLeftToTheClient() {
    RedisUri uri =
        RedisUri.parse(
            "redis://host/1?keyPrefix=my%3Aapp&clientName=me&fences=survive-data-loss"
                + "&cleanupInIsLocked=true&timeout=750ms&semaphoreNamespace=pool&releases=tell",
            RedisOptions.defaults().withKeyPrefix("other"));
    assertThat(uri.options().keyPrefix()).isEqualTo("my:app");
    assertThat(uri.options().semaphoreNamespace()).isEqualTo("pool");
    assertThat(uri.options().fences()).isEqualTo(Fences.SURVIVE_DATA_LOSS);
    assertThat(uri.options().releases()).isEqualTo(Releases.TELL);
    assertThat(uri.options().cleanupInIsLocked()).isTrue();
    assertThat(uri.options().commandTimeout()).isEqualTo(Duration.ofMillis(750));
    assertThat(uri.servers().get(0).getClientName()).isEqualTo("me");
    assertThat(uri.servers().get(0).getDatabase()).isEqualTo(1);
  }

  @Test
  void withoutParametersTheOptionsStand() {
    RedisOptions options = RedisOptions.defaults().withCommandTimeout(Duration.ofSeconds(9));
    assertThat(RedisUri.parse("redis://host", options).options()).isSameAs(options);
  }

  private static RedisUri parsed(String uri) {
    return RedisUri.parse(uri, RedisOptions.defaults());
  }

  private static RedisURI single(String uri) {
    RedisUri parsed = parsed(uri);
    assertThat(parsed.cluster()).isFalse();
    assertThat(parsed.servers()).hasSize(1);
    return parsed.servers().get(0);
  }

  /** All that a log would show: every message of the whole chain. */
  private static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
