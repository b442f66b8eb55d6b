/** Locks with fencing tokens: what a user programs against. */
@NullMarked
package io.syncguard.lock;

import org.jspecify.annotations.NullMarked;
