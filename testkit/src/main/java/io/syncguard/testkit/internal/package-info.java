/** What the testkit's packages share; not exported. */
@NullMarked
package io.syncguard.testkit.internal;

import org.jspecify.annotations.NullMarked;
