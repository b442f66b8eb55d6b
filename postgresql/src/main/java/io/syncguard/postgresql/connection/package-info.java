/** Where operations on PostgreSQL get their connections from, and what ends or fails them. */
@NullMarked
package io.syncguard.postgresql.connection;

import org.jspecify.annotations.NullMarked;
