package io.syncguard.cli.process;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A signal of the operating system. The JDK tells of signals only through {@code sun.misc}, which
 * the compiler warns of and nothing silences; hence the reflection.
 *
 * @param name without SIG
 * @param number on this system
 */
record OsSignal(String name, int number) {

  private static final Set<Integer> LISTENED_TO = ConcurrentHashMap.newKeySet();

  /** Tells the listener, in a thread of the JVM, unless the JVM keeps this signal to itself. */
  static void listen(String name, Consumer<OsSignal> listener) {
    try {
      Class<?> signals = Class.forName("sun.misc.Signal");
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Object signal = signals.getConstructor(String.class).newInstance(name);
      OsSignal known = new OsSignal(name, (int) signals.getMethod("getNumber").invoke(signal));
      Object handler =
          Proxy.newProxyInstance(
              OsSignal.class.getClassLoader(),
              new Class<?>[] {handlers},
              (proxy, method, arguments) -> {
                listener.accept(known);
                return null;
              });
      Method handle = signals.getMethod("handle", signals, handlers);
      handle.invoke(null, signal, handler);
      LISTENED_TO.add(known.number());
    } catch (ReflectiveOperationException e) {
      // This JVM uses it, or this system does not have it: it then does what it always does.
    }
  }

  static boolean isListenedTo(int number) {
    return LISTENED_TO.contains(number);
  }
}
