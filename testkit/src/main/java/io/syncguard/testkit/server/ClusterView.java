package io.syncguard.testkit.server;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What one node says about the cluster in its reply to CLUSTER NODES. */
record ClusterView(List<Member> members) {

  /** One line of the reply. */
  record Member(String id, Set<String> flags, String masterId, List<SlotRange> slots) {
    private static final int FIRST_SLOT_FIELD = 8;

    static Member parse(String line) {
      String[] fields = line.split(" ", -1);
      return new Member(
          fields[0],
          Set.of(fields[2].split(",")),
          fields[3],
          Arrays.stream(fields)
              .skip(FIRST_SLOT_FIELD)
              .filter(slots -> !slots.startsWith("["))
              .map(SlotRange::parse)
              .toList());
    }

    boolean isServing() {
      return flags.contains("master") && !slots.isEmpty();
    }

    boolean owns(int slot) {
      return slots.stream().anyMatch(range -> range.contains(slot));
    }
  }

  /** Slots from first to last, both included. */
  record SlotRange(int first, int last) {
    static SlotRange parse(String text) {
      String[] ends = text.split("-", -1);
      return new SlotRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
    }

    boolean contains(int slot) {
      return first <= slot && slot <= last;
    }
  }

  static ClusterView parse(String reply) {
    return new ClusterView(reply.lines().map(Member::parse).toList());
  }

  boolean seesServingMaster(String id) {
    return member(id).filter(m -> m.isServing() && isHealthy(m)).isPresent();
  }

  boolean seesReplica(String id, String masterId) {
    return member(id).filter(m -> m.masterId.equals(masterId) && isHealthy(m)).isPresent();
  }

  boolean seesOwner(int slot, String id) {
    return member(id).filter(m -> m.owns(slot)).isPresent();
  }

  private Optional<Member> member(String id) {
    return members.stream().filter(m -> m.id.equals(id)).findFirst();
  }

  private static boolean isHealthy(Member member) {
    return !member.flags.contains("fail")
        && !member.flags.contains("fail?")
        && !member.flags.contains("handshake");
  }
}
