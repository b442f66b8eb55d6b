package io.syncguard.postgresql;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresUriTest {

  private static PostgresUri parse(String uri) {
    return PostgresUri.parse(uri, PostgresOptions.defaults());
  }

  private static PGSimpleDataSource driver(String uri) {
    return (PGSimpleDataSource) parse(uri).unpooled();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "postgres", "PostgreSQL", "POSTGRES"})
  void aUriNamesServerDatabaseAndUser(String scheme) {
    PGSimpleDataSource driver = driver(scheme + "://u:p@db.example:6432/name");
    assertThat(driver.getServerNames()).containsExactly("db.example");
    assertThat(driver.getPortNumbers()).containsExactly(6432);
    assertThat(driver.getDatabaseName()).isEqualTo("name");
    assertThat(driver.getUser()).isEqualTo("u");
    assertThat(driver.getPassword()).isEqualTo("p");
  }

  @Test
  void portUserAndPasswordMayBeLeftOut() {
    PGSimpleDataSource driver = driver("postgresql://localhost/name");
    assertThat(driver.getPortNumbers()).containsExactly(5432);
    assertThat(driver.getPassword()).isNull();
    assertThat(driver("postgresql://u@localhost/name").getUser()).isEqualTo("u");
  }

  @Test
  void whatIsEncodedIsDecodedAndAPlusIsAPlus() {
    PGSimpleDataSource driver = driver("postgresql://a%40b:p%3A%2F+%25%3F%C3%A9@h/n%20m");
    assertThat(driver.getUser()).isEqualTo("a@b");
    assertThat(driver.getPassword()).isEqualTo("p:/+%?\u00e9");
    assertThat(driver.getDatabaseName()).isEqualTo("n m");
  }

  @Test
  void aPasswordMayHaveColons() {
    assertThat(driver("postgresql://u:a:b@h/n").getPassword()).isEqualTo("a:b");
  }

  @Test
  void severalServersMayBeNamed() {
    PGSimpleDataSource driver = driver("postgresql://u:p@a:1,b,[::1]:3/n?targetServerType=primary");
    assertThat(driver.getServerNames()).containsExactly("a", "b", "[::1]");
    assertThat(driver.getPortNumbers()).containsExactly(1, 5432, 3);
    assertThat(driver.getTargetServerType()).isEqualTo("primary");
  }

  @Test
  void parametersOfTheDriverReachIt() {
    PGSimpleDataSource driver =
        driver("postgresql://h/n?sslmode=require&poolSize=3&ApplicationName=billing%20job");
    assertThat(driver.getSslMode()).isEqualTo("require");
    assertThat(driver.getApplicationName()).isEqualTo("billing job");
    assertThat(driver("postgresql://h/n").getApplicationName()).isEqualTo("syncguard");
    assertThat(driver("postgresql://h/n").getCancelSignalTimeout()).isEqualTo(1);
    assertThat(driver("postgresql://h/n?cancelSignalTimeout=3").getCancelSignalTimeout())
        .isEqualTo(3);
  }

  @Test
  void ourParametersAreOurs() {
    PostgresUri uri =
        parse(
            "postgresql://h/n?locksTable=l&fencesTable=f&waitersTable=w&semaphoresTable=s"
                + "&permitsTable=p&timeout=2s&poolSize=1000");
    assertThat(uri.poolSize()).isEqualTo(1000);
    assertThat(uri.options().locksTable()).isEqualTo("l");
    assertThat(uri.options().fencesTable()).isEqualTo("f");
    assertThat(uri.options().waitersTable()).isEqualTo("w");
    assertThat(uri.options().semaphoresTable()).isEqualTo("s");
    assertThat(uri.options().permitsTable()).isEqualTo("p");
    assertThat(uri.options().timeout()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void everyTableHasAParameterInAnyCase() {
    PostgresOptions options =
        parse("postgresql://h/n?secretsTable=s&payloadsTable=p&COUNTERSTABLE=c&limiterstable=l")
            .options();
    assertThat(options.secretsTable()).isEqualTo("s");
    assertThat(options.payloadsTable()).isEqualTo("p");
    assertThat(options.countersTable()).isEqualTo("c");
    assertThat(options.limitersTable()).isEqualTo("l");
  }

  @Test
  void waitersAreToldUnlessTheyAreToPoll() {
    assertThat(parse("postgresql://h/n").options().listening()).isPresent();
    assertThat(parse("postgresql://h/n?waiting=NOTIFY").options().listening()).isPresent();
    assertThat(parse("postgresql://h/n?waiting=poll").options().listening()).isEmpty();
  }

  @Test
  void theUriPrevailsOverTheOptions() {
    PostgresOptions options =
        PostgresOptions.defaults().withTables("a", "b").withTimeout(Duration.ofSeconds(1));
    PostgresOptions parsed = PostgresUri.parse("postgresql://h/n?fencesTable=x", options).options();
    assertThat(parsed.locksTable()).isEqualTo("a");
    assertThat(parsed.fencesTable()).isEqualTo("x");
    assertThat(parsed.timeout()).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql:",
        "postgresql://",
        "postgresql://u:s3cret@h",
        "postgresql://u:s3cret@h/",
        "postgresql://u:s3cret@/n",
        "postgresql://u:s3cret@@h/n",
        "postgresql://u:s3cret/x@h/n",
        "postgresql://u:s3cret?x@h/n",
        "postgresql://u:s3cret@h:port/n",
        "postgresql://u:s3cret@h:70000/n",
        "postgresql://u:s3cret%@h/n",
        "postgresql://u:s3cret%zz@h/n",
        "postgresql://u:s3cret@h/n/m",
        "jdbc:postgresql://u:s3cret@h/n",
        "postgresql://u:s3cret@h/n?password=%",
        "postgresql://u:s3cret@h/n?sslmod=require",
        "postgresql://u:s3cret@h/n?poolsizes=3",
        "postgresql://u:s3cret@h/n?s3cret",
      })
  void whatCannotBeReadIsRefusedAndNotRepeated(String uri) {
    assertThat(refusal(uri)).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "poolSize=0, poolSize",
    "poolSize=1001, poolSize",
    "poolSize=-1, poolSize",
    "poolSize=ten, poolSize",
    "poolSize=, poolSize",
    "poolSize, poolSize",
    "timeout=0, timeout",
    "timeout=1w, timeout",
    "timeout=2000, timeout",
    "timeout=-1s, timeout",
    "timeout=, timeout",
    "waiting=maybe, waiting",
    "waiting=, waiting",
    "locksTable=a-b, table",
    "locksTable=syncguard_waiters, differ"
  })
  void aBadValueIsRefusedByItsName(String parameter, String named) {
    String refusal = refusal("postgresql://u:s3cret@h/n?" + parameter);
    assertThat(refusal).contains(named).doesNotContain("s3cret");
  }

  private static String refusal(String uri) {
    SyncGuardException failure = assertFails(Code.INVALID_ARGUMENT, () -> parse(uri));
    return Throwables.getStackTrace(failure);
  }
}
