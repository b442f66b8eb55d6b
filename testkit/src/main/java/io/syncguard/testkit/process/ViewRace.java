package io.syncguard.testkit.process;

import io.syncguard.SyncGuard;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretView;
import io.syncguard.secret.Secrets;
import io.syncguard.testkit.StoreSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Processes that all view one secret until there is nothing more to see. */
public final class ViewRace {

  private ViewRace() {}

  /**
   * Blocks until the secret is used up and all processes have ended.
   *
   * @param uri where each process opens the store
   * @return for each view that revealed the secret, how many it said were left
   */
  public static List<Integer> run(String uri, SecretId id, int processes, int threads) {
    List<String> args = List.of(uri, id.value(), Integer.toString(threads));
    return Starters.run(Worker.class, args, processes).stream().map(Integer::valueOf).toList();
  }

  /** One of the processes. */
  static final class Worker {

    private Worker() {}

    /**
     * Blocks until there is nothing more to see.
     *
     * @param args the store's URI, the secret's id, how many threads
     */
    public static void main(String[] args) throws Exception {
      SecretId id = SecretId.of(args[1]);
      try (SyncGuard guard = SyncGuard.open(args[0])) {
        Secrets secrets = guard.secrets();
        secrets.peek(id);
        Starters.awaitTheStart();
        StoreSuite.together(Integer.parseInt(args[2]), () -> viewAll(secrets, id))
            .forEach(seen -> seen.forEach(System.out::println));
      }
    }

    private static List<Integer> viewAll(Secrets secrets, SecretId id) {
      List<Integer> seen = new ArrayList<>();
      for (Optional<SecretView> view = secrets.view(id);
          view.isPresent();
          view = secrets.view(id)) {
        seen.add(view.get().remaining());
      }
      return seen;
    }
  }
}
