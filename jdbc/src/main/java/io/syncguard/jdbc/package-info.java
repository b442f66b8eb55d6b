/** What the stores on SQL databases share, put together. */
@NullMarked
package io.syncguard.jdbc;

import org.jspecify.annotations.NullMarked;
