package io.syncguard.bench.handoff;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.bench.contest.WaitingContestant;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One of the processes: some clients, each with one thread. Says that it is ready, and then, for
 * each line that it reads, contends from one time until another and tells of all holds. Ends with
 * its parent.
 */
final class Worker {

  static final String READY = "ready";
  static final String DONE = "done";

  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<WaitingContestant> clients = new ArrayList<>();
  private final int firstClient;

  private Worker(int firstClient) {
    this.firstClient = firstClient;
  }

  /**
   * Blocks until its parent ends it.
   *
   * @param args the contender, the server's URI, how many clients, and the number of the first
   */
  public static void main(String[] args) {
    try {
      Worker worker = new Worker(Integer.parseInt(args[3]));
      Contender.Opening opening = Contender.valueOf(args[0]).openingAt(args[1]);
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        worker.clients.add(opening.open());
      }
      worker.obey();
    } catch (Exception | Error e) {
      System.err.println("A process of the contest failed: " + e);
    }
    // What is open is of no use to any other process, and closing many clients takes long.
    Runtime.getRuntime().halt(0);
  }

  private void obey() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    System.out.println(READY);
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      String[] words = order.split(" ", -1);
      contend(threads, words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }

  private void contend(ExecutorService threads, String key, long from, long until)
      throws Exception {
    List<Future<List<Hold>>> running = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      WaitingContestant client = clients.get(i);
      int number = firstClient + i;
      running.add(threads.submit(() -> contend(client, number, key, from, until)));
    }
    StringBuilder told = new StringBuilder();
    for (Future<List<Hold>> thread : running) {
      thread.get().forEach(hold -> told.append(hold.line()).append('\n'));
    }
    System.out.print(told);
    System.out.println(DONE);
  }

  private static List<Hold> contend(
      WaitingContestant client, int number, String key, long from, long until) throws Exception {
    List<Hold> holds = new ArrayList<>();
    LockSupport.parkNanos(from - System.nanoTime());
    while (System.nanoTime() - until < 0) {
      WaitingContestant.Held lock = client.lock(key);
      long acquiredAt = System.nanoTime();
      if (acquiredAt - until < 0) {
        LockSupport.parkNanos(HOLD_NANOS);
      }
      holds.add(new Hold(number, acquiredAt, System.nanoTime()));
      lock.release();
    }
    return holds;
  }
}
