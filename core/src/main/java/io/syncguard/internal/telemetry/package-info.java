/** How events are made and delivered. Not exported. */
@NullMarked
package io.syncguard.internal.telemetry;

import org.jspecify.annotations.NullMarked;
