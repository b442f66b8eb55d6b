/** What a command runs under: a lock or a permit, kept for as long as the command runs. */
@NullMarked
package io.syncguard.cli.hold;

import org.jspecify.annotations.NullMarked;
