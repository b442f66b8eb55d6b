package io.syncguard.bench.sql;

/** Which keys are taken in tables that are full. */
enum KeyKind {
  FREE("keys that are free"),
  EXPIRED("keys whose locks have expired");

  final String title;

  KeyKind(String title) {
    this.title = title;
  }
}
