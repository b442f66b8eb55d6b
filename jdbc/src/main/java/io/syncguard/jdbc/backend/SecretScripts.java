package io.syncguard.jdbc.backend;

import io.syncguard.jdbc.script.ScriptFiles;
import io.syncguard.jdbc.script.SqlScript;
import io.syncguard.jdbc.script.SqlScript.Effect;

/**
 * What one database is asked for secrets; the files say how each answers.
 *
 * @param put stores a secret
 * @param view counts a view and reveals the payload
 * @param peek tells what is left of a secret
 * @param burn removes a secret
 */
public record SecretScripts(SqlScript put, SqlScript view, SqlScript peek, SqlScript burn) {

  public static SecretScripts from(ScriptFiles files) {
    return new SecretScripts(
        files.read("secret/put", Effect.WRITE),
        files.read("secret/view", Effect.WRITE),
        files.read("secret/peek", Effect.READ),
        files.read("secret/burn", Effect.WRITE));
  }
}
