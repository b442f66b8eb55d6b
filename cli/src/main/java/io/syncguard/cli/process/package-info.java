/** The command that {@code run} guards, and the signals that it gets. */
@NullMarked
package io.syncguard.cli.process;

import org.jspecify.annotations.NullMarked;
