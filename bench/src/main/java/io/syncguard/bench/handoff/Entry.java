package io.syncguard.bench.handoff;

import io.syncguard.bench.contest.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A contender with so many clients, and what it did. If it fails, or is too slow, it is out. */
final class Entry implements AutoCloseable {

  /** Starts its processes. */
  interface Opening {

    Fleet open() throws IOException;
  }

  /** What its processes do. */
  private interface Step {

    void take(Fleet fleet) throws IOException, InterruptedException;
  }

  private final Contender contender;
  private final RequestMeter meter;
  private final List<HandOffs> rounds = new ArrayList<>();
  private @Nullable Fleet fleet;
  private String whyOut = "";
  private double requestsEach = Double.NaN;

  Entry(Contender contender, RequestMeter meter) {
    this.contender = contender;
    this.meter = meter;
  }

  /** Blocks until all clients are open, and warm. */
  void open(Opening opening, HandOffPlan plan) throws InterruptedException {
    try {
      fleet = opening.open();
    } catch (IOException e) {
      leaveOut(e);
    }
    step(
        running -> {
          running.contend(plan.warmUp());
          meter.calibrate(running);
        });
  }

  /** Blocks for one round. */
  void contend(HandOffPlan plan) throws InterruptedException {
    step(
        running -> {
          meter.begin();
          HandOffs done = running.contend(plan.slice());
          meter.end(done);
          rounds.add(done);
        });
  }

  /** Blocks until all is counted. */
  void count() throws InterruptedException {
    step(running -> requestsEach = meter.each());
  }

  private void step(Step step) throws InterruptedException {
    Fleet running = fleet;
    if (running != null) {
      try {
        step.take(running);
      } catch (IOException e) {
        leaveOut(e);
      }
    }
  }

  private void leaveOut(IOException reason) {
    close();
    fleet = null;
    rounds.clear();
    whyOut = String.valueOf(reason.getMessage());
  }

  Contender contender() {
    return contender;
  }

  boolean isOut() {
    return rounds.isEmpty();
  }

  String whyOut() {
    return whyOut;
  }

  List<HandOffs> rounds() {
    return rounds;
  }

  /** Returns the median of a figure over the rounds. */
  double median(ToDoubleFunction<HandOffs> figure) {
    return Figures.median(rounds.stream().mapToDouble(figure).boxed().toList());
  }

  double requestsEach() {
    return requestsEach;
  }

  /** Returns what its clients sent. */
  String breakdown() {
    return meter.breakdown();
  }

  /** Returns the median of the ratios of what they did in a second, round by round. */
  double ratio(Entry other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds.size(); i++) {
      ratios.add(rounds.get(i).perSecond() / other.rounds.get(i).perSecond());
    }
    return Figures.median(ratios);
  }

  @Override
  public void close() {
    if (fleet != null) {
      fleet.close();
    }
  }
}
