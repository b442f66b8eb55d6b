package io.syncguard.firestore;

import com.google.cloud.firestore.WriteBatch;
import org.jspecify.annotations.Nullable;

/**
 * What an operation has decided by what it read.
 *
 * @param answer what the caller is told
 * @param writes what makes the answer true, each conditional on its document being as it was read;
 *     null if it is true already
 */
record Decision<T>(T answer, @Nullable WriteBatch writes) {

  static <T> Decision<T> of(T answer) {
    return new Decision<>(answer, null);
  }
}
