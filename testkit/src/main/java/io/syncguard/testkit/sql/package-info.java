/**
 * What the tests of the stores on SQL databases share. It knows their tables, so no other store has
 * a use for it, and the module does not export it.
 */
@NullMarked
package io.syncguard.testkit.sql;

import org.jspecify.annotations.NullMarked;
