/** What a store does for one primitive: semaphore. */
@NullMarked
package io.syncguard.spi.semaphore;

import org.jspecify.annotations.NullMarked;
