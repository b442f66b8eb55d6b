package io.syncguard.spi;

import java.util.regex.Pattern;

/**
 * What the scheme of a URI looks like. What looks otherwise may be a password and is not repeated.
 */
final class Schemes {

  static final Pattern AT_THE_BEGINNING = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):");

  private Schemes() {}
}
