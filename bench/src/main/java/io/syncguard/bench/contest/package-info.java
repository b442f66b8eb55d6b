/** What all comparisons share: contestants, the threads that drive them, and figures with goals. */
@NullMarked
package io.syncguard.bench.contest;

import org.jspecify.annotations.NullMarked;
