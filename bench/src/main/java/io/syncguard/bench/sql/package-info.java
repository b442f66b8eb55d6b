/** The SQL store's locks beside those of others. */
@NullMarked
package io.syncguard.bench.sql;

import org.jspecify.annotations.NullMarked;
