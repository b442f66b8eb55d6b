package io.syncguard.bench.sql;

import io.syncguard.bench.contest.Figures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What it costs to have a block on the disk here, which every commit pays. */
final class SyncCost {

  private static final int BLOCK_BYTES = 8192;
  private static final int TIMES = 100;

  private SyncCost() {}

  static double medianMicros() throws IOException {
    Path file = Files.createTempFile("syncguard-fdatasync-", "");
    List<Double> micros = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < TIMES; i++) {
        long startedAt = System.nanoTime();
        channel.write(ByteBuffer.allocate(BLOCK_BYTES), 0);
        channel.force(false);
        micros.add((System.nanoTime() - startedAt) / 1e3);
      }
    } finally {
      Files.deleteIfExists(file);
    }
    return Figures.median(micros);
  }
}
