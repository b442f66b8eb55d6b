/** SyncGuard's locks on Google Cloud Firestore. */
module io.syncguard.firestore {
  requires transitive io.syncguard;
  requires transitive google.cloud.firestore;
  requires com.google.api.apicommon;
  requires com.google.auth;
  requires gax;
  requires google.cloud.core;
  requires io.grpc;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.syncguard.firestore;

  provides io.syncguard.spi.StoreProvider with
      io.syncguard.firestore.FirestoreStoreProvider;
}
