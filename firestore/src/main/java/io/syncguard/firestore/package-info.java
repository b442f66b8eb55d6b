/** The lock store on Google Cloud Firestore. */
@NullMarked
package io.syncguard.firestore;

import org.jspecify.annotations.NullMarked;
