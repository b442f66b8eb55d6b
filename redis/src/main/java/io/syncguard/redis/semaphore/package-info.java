/** Fair semaphores, by the scripts in this folder of the resources. Not for users. */
@NullMarked
package io.syncguard.redis.semaphore;

import org.jspecify.annotations.NullMarked;
