package io.syncguard.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One RESP2 connection to a local server. Not thread-safe. */
final class RespConnection implements Closeable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  private final Socket socket;
  private final InputStream replies;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.replies = new BufferedInputStream(socket.getInputStream());
  }

  static RespConnection open(int port) throws IOException {
    return open(port, DEFAULT_TIMEOUT);
  }

  static RespConnection open(int port, Duration timeout) throws IOException {
    Socket socket = new Socket();
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      return new RespConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Sends one command and blocks for its reply: a String, a Long, a List of these, or null. */
  @Nullable Object call(String... words) throws IOException {
    send(words);
    return readReply();
  }

  void send(String... words) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
    for (String word : words) {
      byte[] bytes = word.getBytes(UTF_8);
      request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
      request.writeBytes(bytes);
      request.writeBytes("\r\n".getBytes(UTF_8));
    }
    socket.getOutputStream().write(request.toByteArray());
  }

  @Nullable Object readReply() throws IOException {
    String header = readLine();
    String rest = header.substring(1);
    return switch (header.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '-' -> throw new RedisErrorException(rest);
      case '$' -> readBulk(Integer.parseInt(rest));
      case '*' -> readList(Integer.parseInt(rest));
      default -> throw new IOException("Not a RESP2 reply: " + header);
    };
  }

  private @Nullable String readBulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = replies.readNBytes(length + 2);
    if (bytes.length < length + 2) {
      throw new EOFException("Connection closed within a reply");
    }
    return new String(bytes, 0, length, UTF_8);
  }

  private @Nullable List<@Nullable Object> readList(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    List<@Nullable Object> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      elements.add(readReply());
    }
    return elements;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = replies.read(); b != '\r'; b = replies.read()) {
      if (b < 0) {
        throw new EOFException("Connection closed before a reply");
      }
      line.write(b);
    }
    replies.skipNBytes(1);
    return line.toString(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
