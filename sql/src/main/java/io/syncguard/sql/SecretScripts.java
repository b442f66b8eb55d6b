package io.syncguard.sql;

/**
 * What one database is asked for secrets; the files say how each answers.
 *
 * @param put stores a secret
 * @param view counts a view and reveals the payload
 * @param peek tells what is left of a secret
 * @param burn removes a secret
 */
record SecretScripts(Script put, Script view, Script peek, Script burn) {

  static SecretScripts from(ScriptFiles files) {
    return new SecretScripts(
        files.read("secret/put"),
        files.read("secret/view"),
        files.read("secret/peek"),
        files.read("secret/burn"));
  }
}
