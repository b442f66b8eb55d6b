package io.syncguard.sqlite;

import io.syncguard.spi.Finding;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which users may read the files of a database, which hold keys, lockIds and secrets: their owner
 * alone, from the moment they are created. Where a file system knows no owners, nothing is done.
 *
 * @param database absolute; SQLite gives its log and its index the rights of this file
 */
record SqliteRights(Path database) {

  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> GROUPS =
      PosixFilePermissions.fromString("---rwx---");
  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("------rwx");

  private static final FileAttribute<?> NEW_DIRECTORY =
      PosixFilePermissions.asFileAttribute(OWNERS);
  private static final FileAttribute<?> NEW_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Creates the directories that are missing. */
  void createDirectory() throws IOException {
    Path directory = directory();
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, attributes(NEW_DIRECTORY));
    }
  }

  /**
   * Creates the file, empty, unless it is there. One thread at a time: closing a file drops the
   * locks of the whole process on it, so no store of this process may use it yet.
   */
  void createFile() throws IOException {
    synchronized (SqliteRights.class) {
      if (!Files.exists(database)) {
        try {
          Files.createFile(database, attributes(NEW_FILE));
        } catch (FileAlreadyExistsException e) {
          log.debug("Another process has just created the SQLite file", e);
        }
      }
    }
  }

  /**
   * Takes from other users what they have been given by carelessness, where this user may. In the
   * default place only the owner has any business. Elsewhere, rights of a group alone are intended,
   * and the directory is the user's.
   */
  void mend() {
    boolean inDefaultPlace = isInDefaultPlace();
    if (inDefaultPlace) {
      restrict(directory());
    }
    for (Path file : files()) {
      if (inDefaultPlace || grants(file, OTHERS)) {
        restrict(file);
      }
    }
  }

  private static void restrict(Path path) {
    Set<PosixFilePermission> rights = rights(path);
    if (!OWNERS.containsAll(rights)) {
      rights.retainAll(OWNERS);
      try {
        Files.setPosixFilePermissions(path, rights);
      } catch (IOException e) {
        log.debug("This user cannot change the rights of a SQLite file; doctor says so", e);
      }
    }
  }

  Finding privacy() {
    for (Path file : files()) {
      if (grants(file, OTHERS)) {
        return Finding.warning(
            "privacy",
            "all users of this machine may use " + file + ", and it may hold secrets",
            "As its owner: chmod go= " + file);
      }
    }
    Path directory = directory();
    if (isInDefaultPlace() ? grants(directory, OTHERS) : mayReplaceFiles(directory, OTHERS)) {
      return Finding.warning(
          "privacy",
          "all users of this machine may use the directory " + directory,
          "As its owner: chmod go= " + directory + "; or move the file elsewhere");
    }
    return grants(database, GROUPS) || mayReplaceFiles(directory, GROUPS)
        ? Finding.ok("privacy", "the file's owner and group may use it")
        : Finding.ok("privacy", "the file's owner alone may use it");
  }

  private static boolean mayReplaceFiles(Path directory, Set<PosixFilePermission> who) {
    Set<PosixFilePermission> rights = rights(directory);
    rights.retainAll(who);
    return rights.contains(PosixFilePermission.GROUP_WRITE)
        || rights.contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static boolean grants(Path path, Set<PosixFilePermission> some) {
    return rights(path).stream().anyMatch(some::contains);
  }

  /** Returns none as well if there is no such file, or none that has rights. */
  private static Set<PosixFilePermission> rights(Path path) {
    Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
    try {
      rights.addAll(Files.getPosixFilePermissions(path));
    } catch (IOException | UnsupportedOperationException e) {
      log.trace("A SQLite file without rights to look at", e);
    }
    return rights;
  }

  private boolean isInDefaultPlace() {
    return directory().equals(SqliteStore.defaultPath().toAbsolutePath().getParent());
  }

  private Path directory() {
    Path directory = database.getParent();
    return directory == null ? database : directory;
  }

  private List<Path> files() {
    return List.of(database, beside("-wal"), beside("-shm"));
  }

  private Path beside(String suffix) {
    return SqliteFile.beside(database, suffix);
  }

  private FileAttribute<?>[] attributes(FileAttribute<?> attribute) {
    return database.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {attribute}
        : new FileAttribute<?>[0];
  }
}
