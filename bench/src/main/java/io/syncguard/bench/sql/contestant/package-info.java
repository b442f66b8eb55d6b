/** Ways to lock through SQL, each as a contestant. */
@NullMarked
package io.syncguard.bench.sql.contestant;

import org.jspecify.annotations.NullMarked;
