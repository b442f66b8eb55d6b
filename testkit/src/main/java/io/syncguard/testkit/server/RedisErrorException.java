package io.syncguard.testkit.server;

/** An error reply of a Redis server, such as {@code MOVED 93 127.0.0.1:7000}. */
public final class RedisErrorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RedisErrorException(String reply) {
    super(reply);
  }

  /**
   * Returns at once the first word of the reply, such as {@code ERR}, {@code MOVED} or {@code ASK}.
   */
  public String code() {
    String reply = String.valueOf(getMessage());
    int end = reply.indexOf(' ');
    return end < 0 ? reply : reply.substring(0, end);
  }
}
