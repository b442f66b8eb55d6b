package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Contestant;
import io.syncguard.bench.contest.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What all clients together did with the key in one round.
 *
 * @param perSecond acquisitions within the time
 * @param gaps nanoseconds from just before a release to just after the next acquisition
 * @param all acquisitions in all, those after the end of the time included
 * @param fewest acquisitions of the client that got fewest
 * @param most acquisitions of the client that got most
 */
record HandOffs(double perSecond, List<Long> gaps, long all, long fewest, long most) {

  /** Sums up what the clients did between two times; fails if two of them held the key at once. */
  static HandOffs of(List<Hold> holds, int clients, long from, long until) {
    List<Hold> sorted = new ArrayList<>(holds);
    sorted.sort(Comparator.comparingLong(Hold::acquiredAt));
    List<Long> gaps = new ArrayList<>();
    long[] each = new long[clients];
    long inTime = 0;
    for (int i = 0; i < sorted.size(); i++) {
      Hold hold = sorted.get(i);
      if (i > 0) {
        long gap = hold.acquiredAt() - sorted.get(i - 1).releasingAt();
        Contestant.require(gap >= 0, "exclusion");
        if (hold.acquiredAt() - until < 0) {
          gaps.add(gap);
        }
      }
      if (hold.acquiredAt() - until < 0) {
        each[hold.client()]++;
        inTime++;
      }
    }
    long fewest = Long.MAX_VALUE;
    long most = 0;
    for (long count : each) {
      fewest = Math.min(fewest, count);
      most = Math.max(most, count);
    }
    return new HandOffs(inTime * 1e9 / (until - from), gaps, sorted.size(), fewest, most);
  }

  /** Returns the microseconds that this share of the hand-offs took at most. */
  double gap(double share) {
    return Figures.quantile(gaps, share) / 1e3;
  }
}
