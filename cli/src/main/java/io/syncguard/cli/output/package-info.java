/** What the command says, where it writes that, and with which exit code it ends. */
@NullMarked
package io.syncguard.cli.output;

import org.jspecify.annotations.NullMarked;
