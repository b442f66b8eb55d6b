package io.syncguard.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.secret.Secrets;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Standard output, which remembers why something could not be written. */
public final class Output extends PrintStream {

  private static final Path ITSELF = Path.of("/dev/fd/1");
  private static final Path ALWAYS_FULL = Path.of("/dev/full");

  /** The largest secret as JSON has it, in base64, with what is around it. */
  private static final long LEAST_ROOM = Secrets.DEFAULT_LARGEST_PAYLOAD * 4L / 3 + 4096;

  private final Attempts attempts;
  private final boolean closed;

  /** Knows whether it was closed when the command was started. */
  public Output(boolean closed) {
    this(new Attempts(new FileOutputStream(FileDescriptor.out)), closed);
  }

  private Output(Attempts attempts, boolean closed) {
    super(attempts, true, UTF_8);
    this.attempts = attempts;
    this.closed = closed;
  }

  /** Returns why something could not be written so far, if so. */
  public Optional<String> problem() {
    return checkError() ? Optional.of(reason(attempts.failure)) : Optional.empty();
  }

  /** Ends the command if something could not be written; quietly if its reader is gone. */
  public void check() {
    problem()
        .ifPresent(
            problem -> {
              throw isBrokenPipe(problem) ? Failure.unread() : Failure.unwritten(problem);
            });
  }

  /**
   * Returns why a secret cannot be written, if that can be known without writing: it is closed, or
   * goes to a file on a file system without room for the largest one. That a pipe's reader is gone
   * cannot be known.
   */
  public Optional<String> problemAhead() {
    if (closed) {
      return Optional.of("it is closed");
    }
    try {
      return isFull() ? Optional.of("there is no room left") : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static boolean isFull() throws IOException {
    if (Files.exists(ALWAYS_FULL) && Files.isSameFile(ITSELF, ALWAYS_FULL)) {
      return true;
    }
    if (!Files.isRegularFile(ITSELF)) {
      return false;
    }
    FileStore disk = Files.getFileStore(ITSELF);
    // Some do not tell how large they are.
    return disk.getTotalSpace() > 0 && disk.getUsableSpace() < LEAST_ROOM;
  }

  private static String reason(@Nullable IOException failure) {
    return failure == null || failure.getMessage() == null ? "I/O error" : failure.getMessage();
  }

  private static boolean isBrokenPipe(String problem) {
    return problem.toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** A print stream tells only that something failed. */
  private static final class Attempts extends FilterOutputStream {

    private @Nullable IOException failure;

    private Attempts(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
