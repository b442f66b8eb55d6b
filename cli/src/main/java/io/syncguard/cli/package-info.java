/** The {@code syncguard} command. Nothing in here is for programs: they use the library. */
@NullMarked
package io.syncguard.cli;

import org.jspecify.annotations.NullMarked;
