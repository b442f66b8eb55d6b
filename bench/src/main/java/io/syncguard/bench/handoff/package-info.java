/** Hand-offs of one key between the clients of several processes. */
@NullMarked
package io.syncguard.bench.handoff;

import org.jspecify.annotations.NullMarked;
