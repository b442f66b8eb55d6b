package io.syncguard.bench.handoff;

import java.io.IOException;

/** Counts what the clients of one contender ask the server. */
interface RequestMeter {

  /** Learns what it must from a run that is not timed. */
  void calibrate(Fleet fleet) throws IOException, InterruptedException;

  /** Notes that a timed round begins. */
  void begin();

  /** Notes that a timed round is over. */
  void end(HandOffs done);

  /** Returns how many requests there were per acquisition. */
  double each() throws InterruptedException;

  /** Returns what they were; empty if this is not known. */
  String breakdown();
}
