package io.syncguard.internal.secret;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF of RFC 5869 with SHA-256, for results of 32 bytes. Java 17 does not have it. */
final class Hkdf {

  private static final String MAC = "HmacSHA256";

  private Hkdf() {}

  static byte[] derive(byte[] secret, byte[] salt, byte[] info) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(salt, MAC));
      mac.init(new SecretKeySpec(mac.doFinal(secret), MAC));
      mac.update(info);
      return mac.doFinal(new byte[] {1});
    } catch (GeneralSecurityException e) {
      throw new SyncGuardException(
          SyncGuardException.Code.INTERNAL,
          "This Java platform does not do " + MAC,
          Subject.NONE,
          e);
    }
  }
}
