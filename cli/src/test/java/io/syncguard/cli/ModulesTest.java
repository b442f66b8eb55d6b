package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The modules know each other as the picture in docs/architecture.md says. Here, as no other module
 * has all stores on its class path; what core keeps to itself is in core's ArchitectureTest.
 */
class ModulesTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "")).resolve("..");
  private static final Pattern MODULE = Pattern.compile("<module>(\\w+)</module>");
  private static final String BASE = "io.syncguard.";
  private static final String CORE = "core";

  private static Map<String, Set<String>> arrows = Map.of();
  private static List<Dependency> dependencies = List.of();

  @BeforeAll
  static void readPictureAndClasses() throws IOException {
    arrows = arrows(Files.readString(ROOT.resolve("docs/architecture.md")));
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.syncguard");
    dependencies =
        classes.stream()
            .flatMap(from -> from.getDirectDependenciesFromSelf().stream())
            .filter(dependency -> isOurs(dependency.getTargetClass()))
            .toList();
  }

  @Test
  void thePictureShowsTheModulesOfTheBuild() throws IOException {
    Set<String> modules =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toSet());
    modules.remove("bom"); // It has no code.

    assertThat(arrows.keySet()).isEqualTo(modules);
  }

  @Test
  void modulesDependOnEachOtherOnlyAlongTheArrowsOfThePicture() {
    assertThat(dependencies)
        .extracting(dependency -> module(dependency.getOriginClass()))
        .contains(CORE, "jdbc", "postgresql", "sqlite", "redis", "firestore", "testkit", "cli");
    assertThat(dependencies)
        .filteredOn(
            dependency ->
                !isReached(
                    module(dependency.getOriginClass()), module(dependency.getTargetClass())))
        .extracting(Dependency::getDescription)
        .isEmpty();
  }

  @Test
  void onlyCoreUsesWhatCoreDoesNotExport() {
    assertThat(dependencies)
        .filteredOn(dependency -> !module(dependency.getOriginClass()).equals(CORE))
        .filteredOn(
            dependency ->
                dependency.getTargetClass().getPackageName().startsWith(BASE + "internal"))
        .extracting(Dependency::getDescription)
        .isEmpty();
  }

  /** Reads the first picture: {@code a["text"] --> b & c}. */
  private static Map<String, Set<String>> arrows(String page) {
    Matcher picture = Pattern.compile("(?s)```mermaid\n(.*?)```").matcher(page);
    assertThat(picture.find()).isTrue();
    Map<String, Set<String>> arrows = new HashMap<>();
    picture
        .group(1)
        .lines()
        .map(line -> line.replaceAll("\\[\".*?\"]", "").strip().split(" --> ", -1))
        .filter(sides -> sides.length == 2)
        .forEach(
            sides ->
                Arrays.stream(sides[1].split(" & ", -1))
                    .forEach(
                        to -> {
                          arrows.computeIfAbsent(to, name -> new TreeSet<>());
                          arrows.computeIfAbsent(sides[0], name -> new TreeSet<>()).add(to);
                        }));
    return arrows;
  }

  private static boolean isReached(String from, String to) {
    Set<String> reached = new HashSet<>(Set.of(from));
    while (reached.addAll(next(reached))) {
      // Until there is nothing further to reach.
    }
    return reached.contains(to);
  }

  private static Set<String> next(Set<String> modules) {
    return modules.stream()
        .flatMap(module -> arrows.getOrDefault(module, Set.of()).stream())
        .collect(Collectors.toSet());
  }

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(BASE);
  }

  /** A module's packages begin with its name; all others are core's. */
  private static String module(JavaClass type) {
    return Stream.of(type.getPackageName() + ".")
        .filter(name -> name.startsWith(BASE))
        .map(name -> name.substring(BASE.length()).split("\\.", 2)[0])
        .filter(arrows::containsKey)
        .findFirst()
        .orElse(CORE);
  }
}
