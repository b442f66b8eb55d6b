/** How secrets are put and viewed. Not exported. */
@NullMarked
package io.syncguard.internal.secret;

import org.jspecify.annotations.NullMarked;
