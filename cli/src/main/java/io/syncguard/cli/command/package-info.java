/** The subcommands, and what they share. */
@NullMarked
package io.syncguard.cli.command;

import org.jspecify.annotations.NullMarked;
