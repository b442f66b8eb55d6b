package io.syncguard.redis.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.redis.OnOneRedis;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.spi.semaphore.PermitAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a release does with the keys, and finding a slot again. */
class SlotReleaseTest extends OnOneRedis {

  private static final String NAME = "slots";
  private static final String MAIN = "adv-sem:semaphore_main:" + NAME;
  private static final String EXPIRIES = "adv-sem:semaphore_ttl:" + NAME;
  private static final String MAX = "adv-sem:semaphore_max:" + NAME;
  private static final String WAITING = "adv-sem:semaphore_waiting:" + NAME;
  private static final String HEARTBEAT = "adv-sem:semaphore_waiting_heartbeat:" + NAME;
  private static final String NOTIFICATION = "adv-sem:acquisition_notification:";

  @Test
  void aGrantOfTheOnlySlotExpiresByItself() {
    limit(1);
    slot("holder", true);
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("next");
    assertThat((Long) server.command("PTTL", MAIN)).isPositive();
  }

  @Test
  void aGrantIsNotCutShortByAKeyThatExpiresWithAnotherSlot() {
    limit(2);
    slot("holder", true);
    slot("bystander", true);
    server.command("PEXPIRE", MAIN, "100");
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat((Long) server.command("PTTL", MAIN)).isGreaterThan(5000);
  }

  @Test
  void whatIsReleasedBesideOthersLeavesThemTheirs() {
    limit(2);
    slot("holder", true);
    slot("bystander", true);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("bystander");
    assertThat(words("ZRANGE", EXPIRIES, "0", "-1")).containsExactly("bystander");
    assertThat(server.command("GET", MAX)).hasToString("2");
  }

  @Test
  void aLoneSlotThatWasNeverConfirmedTakesItsHintWithIt() {
    limit(1);
    slot("holder", false);
    server.command("RPUSH", NOTIFICATION + "holder", "1");
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(server.command("DBSIZE")).isEqualTo(0L);
  }

  @Test
  void aSlotIsItsHoldersUntilItIsForgotten() {
    limit(1);
    server.command("ZADD", MAIN, "1", "holder");
    server.command("ZADD", EXPIRIES, "9000000000", "holder");
    place("next", 1);
    assertThat(release("holder")).isEqualTo(1L);
    assertThat(words("ZRANGE", MAIN, "0", "-1")).containsExactly("next");
    assertThat(release("holder")).isEqualTo(0L);
  }

  @Test
  void aSlotThatIsFoundAgainIsAsOldAsItIs() {
    long now = Long.parseLong(words("TIME").get(0));
    limit(1);
    server.command("ZADD", MAIN, Long.toString(now + 30), "found");
    server.command("ZADD", EXPIRIES, Long.toString(now + 50), "found");
    Object answer = run(RedisScript.SEMAPHORE_ACQUIRE, "found", "30000", "60000", "1");
    assertThat(SemaphoreAnswers.attempt(answer))
        .isInstanceOfSatisfying(
            PermitAttempt.Held.class,
            held -> assertThat(held.age()).isGreaterThanOrEqualTo(Duration.ofSeconds(10)));
  }

  private void limit(int limit) {
    server.command("SET", MAX, Integer.toString(limit));
  }

  private void slot(String id, boolean confirmed) {
    server.command("ZADD", MAIN, "9000000000", id);
    if (confirmed) {
      server.command("ZADD", EXPIRIES, "9000000000", id);
    }
  }

  private void place(String id, int ticket) {
    server.command("ZADD", WAITING, Integer.toString(ticket), id);
    server.command("ZADD", HEARTBEAT, "9000000000", id);
  }

  private Object release(String holder) {
    return run(RedisScript.SEMAPHORE_RELEASE, holder);
  }

  private Object run(RedisScript script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("EVAL", script.source(), "4", MAIN, EXPIRIES, MAX, WAITING));
    command.addAll(List.of(arguments));
    return server.command(command.toArray(String[]::new));
  }

  private List<String> words(String... command) {
    return ((List<?>) server.command(command)).stream().map(String::valueOf).toList();
  }
}
