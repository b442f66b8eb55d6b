package io.syncguard.redis.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SweepPointTest {

  @Test
  void aMapThatOnlyGrowsIsLookedThroughAFewTimes() {
    SweepPoint point = new SweepPoint(1024);
    int lookedAt = 0;
    for (int size = 0; size < 100_000; size++) {
      if (point.isReached(size)) {
        lookedAt += size;
        point.swept(size);
      }
    }
    assertThat(lookedAt).isBetween(1024, 2 * 100_000);
  }

  @Test
  void whatIsOverIsFoundAgainAndAgain() {
    SweepPoint point = new SweepPoint(1024);
    Set<Integer> map = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      if (point.isReached(map.size())) {
        map.clear();
        point.swept(map.size());
      }
      map.add(i);
      assertThat(map.size()).isLessThanOrEqualTo(1024);
    }
  }
}
