package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.spi.OperationExecutor;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.function.UnaryOperator;

/**
 * The process that started this one: lines go to it, and it says when to begin, by a line, and to
 * end, by closing the pipe, so that a worker does not outlive it.
 */
final class Parent {

  /** Unbuffered: what was written when the process is killed reaches its parent. */
  private static final FileOutputStream TO_PARENT = new FileOutputStream(FileDescriptor.out);

  private static volatile boolean saidToEnd;

  private Parent() {}

  static void tell(String line) throws IOException {
    TO_PARENT.write((line + "\n").getBytes(UTF_8));
  }

  static boolean saidToEnd() {
    return saidToEnd;
  }

  static void awaitTheWord() throws IOException {
    saidToEnd = System.in.read() < 0;
    Thread listener = new Thread(Parent::awaitTheEnd, "parent");
    listener.setDaemon(true);
    listener.start();
  }

  private static void awaitTheEnd() {
    try {
      saidToEnd = System.in.read() < 0;
    } catch (IOException e) {
      saidToEnd = true;
    }
  }

  /** The class may be a test's own, so not public. */
  @SuppressWarnings("unchecked")
  static UnaryOperator<OperationExecutor> decoration(String className) throws Exception {
    Constructor<? extends UnaryOperator<OperationExecutor>> constructor =
        (Constructor<? extends UnaryOperator<OperationExecutor>>)
            Class.forName(className).asSubclass(UnaryOperator.class).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
