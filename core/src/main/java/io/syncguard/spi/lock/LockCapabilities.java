package io.syncguard.spi.lock;

/**
 * What a store's locks can do.
 *
 * @param store which kind of store it is: {@code redis}, {@code postgresql}, {@code sqlite}, {@code
 *     firestore}, {@code memory}, or a name of its own
 * @param fencing whether each acquisition gets a fence greater than all before it
 * @param timeAuthority whose clock decides when a lock expires
 */
public record LockCapabilities(String store, boolean fencing, TimeAuthority timeAuthority) {

  /** Whose clock decides. */
  public enum TimeAuthority {
    /** The store's own, one for all clients. */
    SERVER,
    /** Each client's, so that clients' clocks must agree, as those of one machine do. */
    CLIENT
  }
}
