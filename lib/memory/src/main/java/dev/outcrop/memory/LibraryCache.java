package dev.outcrop.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Libraries unpacked from jars into a directory that belongs to one user, each under the SHA-256 of its content:
 *
 * <pre>
 *   &lt;root&gt;/                          0700, owned by this user
 *     &lt;sha256&gt;/                      0700, owned by this user
 *       librocksdb.so                complete, or missing: put into place with one call
 *       .unpacking-4711.tmp          while a process writes it
 * </pre>
 *
 * A file is checked before every use. A damaged one is replaced, and never loaded. The check compares the file's CRC-32 with the CRC-32 in
 * the jar: a SHA-256 would take a quarter of the time until a short program has read its first value. Newly unpacked content must have the
 * SHA-256, too. Any number of processes may unpack at once: each process writes its own file, and the first file comes into place. No
 * process writes to a file in place, because other processes may run from it.
 *
 * <p>If a user has no such directory, a process makes a fresh one, and deletes it when it ends.
 */
final class LibraryCache {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    static final String DIRECTORY_PROPERTY = "outcrop.cache.directory";
    /** The published jar of RocksDB unpacks its library into the directory that this variable names. */
    private static final String DIRECTORY_VARIABLE = "ROCKSDB_SHAREDLIB_DIR";
    private static final String TEMPORARY_PROPERTY = "java.io.tmpdir";
    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0022;
    private static final int BUFFER = 256 << 10;

    private final Path root;
    private final boolean isTemporary;

    /** A cache in a directory, which need not exist. */
    LibraryCache(Path root) {
        this(root, false);
    }

    private LibraryCache(Path root, boolean isTemporary) {
        this.root = root;
        this.isTemporary = isTemporary;
    }

    /** A possible place of a cache; throws if it cannot be there. */
    @FunctionalInterface
    interface Place {
        LibraryCache find() throws IOException;
    }

    /** Thrown if the library does not have the hash that its jar names. Another directory would not help. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedException(String message) {
            super(message);
        }
    }

    /** Lists the places to try, in order: the place that was set, or else the user's cache and then a fresh directory. */
    static List<Place> places(Platform platform) {
        String explicit = System.getProperty(DIRECTORY_PROPERTY);
        if (explicit != null) {
            return List.of(() -> new LibraryCache(Path.of(explicit).toAbsolutePath()));
        }
        String published = System.getenv(DIRECTORY_VARIABLE);
        if (published != null && !published.isEmpty()) {
            // The user has chosen this directory, as with the property, so the permissions of others are not checked.
            return List.of(() -> fresh(real("the variable " + DIRECTORY_VARIABLE, published)));
        }
        return List.of(() -> ofUser(platform), () -> fresh(
                requireKept(real("the system property " + TEMPORARY_PROPERTY,
                        System.getProperty(TEMPORARY_PROPERTY)))));
    }

    /** Returns the cache of the user that this process runs as. */
    private static LibraryCache ofUser(Platform platform) throws IOException {
        String xdg = System.getenv("XDG_CACHE_HOME");
        // The XDG Base Directory Specification says to ignore relative paths.
        if (!platform.os().equals("macos") && xdg != null && Path.of(xdg).isAbsolute()) {
            return new LibraryCache(Path.of(xdg, "outcrop"));
        }
        // The JDK has "?" for a user without a home.
        Path home = Path.of(System.getProperty("user.home"));
        if (!home.isAbsolute() || !Files.isDirectory(home)) {
            throw new IOException("the home directory of this user ('" + home + "') does not exist.");
        }
        return new LibraryCache(
                home.resolve(platform.os().equals("macos") ? "Library/Caches/outcrop" : ".cache/outcrop"));
    }

    private static LibraryCache fresh(Path parent) throws IOException {
        Path root = Files.createTempDirectory(parent, "outcrop-", PRIVATE);
        root.toFile().deleteOnExit();
        return new LibraryCache(root, true);
    }

    private static Path real(String what, String name) throws IOException {
        Path directory = Path.of(name).toAbsolutePath();
        if (!Files.isDirectory(directory)) {
            throw new IOException(what + " names '" + name + "', which is not a directory.");
        }
        return directory.toRealPath();
    }

    /**
     * Refuses a directory that another user could replace. Users with write access to one of its parents can do that, unless the sticky bit
     * lets only owners rename.
     */
    private static Path requireKept(Path directory) throws IOException {
        for (Path checked = directory; checked != null; checked = checked.getParent()) {
            int owner = (Integer) Files.getAttribute(checked, "unix:uid");
            int mode = (Integer) Files.getAttribute(checked, "unix:mode");
            boolean othersOwn = owner != 0 && owner != Posix.userId();
            if (othersOwn || ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0)) {
                throw new IOException("the directory " + checked + (checked.equals(directory)
                        ? ""
                        : ", which "
                                + directory + " is in,")
                        + (othersOwn
                                ? " belongs to another user (uid " + owner + ")"
                                : " can be written by others ("
                                        + PosixFilePermissions.toString(Files.getPosixFilePermissions(checked))
                                        + ", without the sticky bit)")
                        + ", who could replace the libraries in it.");
            }
        }
        return directory;
    }

    /** Deletes a fresh directory with all its files. */
    void discard() throws IOException {
        if (isTemporary) {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Deletes a file in a fresh directory when the process ends. */
    private void deleteAtEnd(Path file) {
        if (isTemporary) {
            file.toFile().deleteOnExit();
        }
    }

    /**
     * Returns the unpacked file, verified; unpacks it first if it is missing or damaged.
     *
     * @throws IOException with a message that says what is wrong with the directory or with the content
     */
    Path unpack(URL content, String fileName, String sha256) throws IOException {
        return Uninterrupted.get(() -> unpackOnce(content, fileName, sha256));
    }

    private Path unpackOnce(URL content, String fileName, String sha256) throws IOException {
        // The real path: a symbolic link on the way could be changed between the check and the use.
        Path directory = requirePrivate(requirePrivate(root).toRealPath().resolve(sha256));
        Path file = directory.resolve(fileName);
        deleteAtEnd(directory);
        deleteAtEnd(file);
        if (!isGood(file, content, sha256)) {
            write(content, sha256, directory, file);
        }
        return file;
    }

    private static void write(URL content, String sha256, Path directory, Path file) throws IOException {
        Path unpacking = Files.createTempFile(directory, ".unpacking-", ".tmp");
        try {
            String written = copy(content, unpacking);
            if (!written.equals(sha256)) {
                throw new DamagedException(
                        "The content of " + content + " is damaged: its SHA-256 is " + written + ", and "
                                + sha256 + " is expected. Download the jar again.");
            }
            place(unpacking, file, content, sha256);
        } finally {
            Files.deleteIfExists(unpacking);
        }
    }

    /**
     * Puts the file into place, unless another process has put a good file there: a process that has loaded that file may look for it
     * again.
     */
    private static void place(Path unpacking, Path file, URL content, String sha256) throws IOException {
        try {
            Files.createLink(file, unpacking);
        } catch (UnsupportedOperationException | FileSystemException e) {
            if (!isGood(file, content, sha256)) {
                Files.move(unpacking, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static boolean isGood(Path file, URL content, String sha256) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        long crc = crc(content);
        return crc < 0 ? sha256(file).equals(sha256) : crc(file) == crc;
    }

    /** Returns the CRC-32 that the jar has for the content; -1 if the content is not in a jar. */
    private static long crc(URL content) throws IOException {
        URLConnection connection = content.openConnection();
        if (!(connection instanceof JarURLConnection jar)) {
            return -1;
        }
        jar.setUseCaches(false);
        try (JarFile _ = jar.getJarFile()) {
            JarEntry entry = jar.getJarEntry();
            return entry == null ? -1 : entry.getCrc();
        }
    }

    private static long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                crc.update(buffer, 0, read);
            }
        }
        return crc.getValue();
    }

    /** Copies the content to the file and to the disk, and returns its SHA-256. */
    private static String copy(URL content, Path to) throws IOException {
        MessageDigest digest = newSha256();
        try (InputStream in = new DigestInputStream(open(content), digest);
                FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(channel)) {
            in.transferTo(out);
            // Before the rename: after a power failure the final name must not belong to an empty file.
            channel.force(true);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Opens content without the JVM's cache of open jars, which would keep the jar of an unloaded application open. */
    static InputStream open(URL content) throws IOException {
        URLConnection connection = content.openConnection();
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest = newSha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK lacks SHA-256, which every JDK must have", e);
        }
    }

    /** Creates the directory if it is missing; refuses a directory into which another user could put a library. */
    private static Path requirePrivate(Path directory) throws IOException {
        Files.createDirectories(directory, PRIVATE);
        int owner = (Integer) Files.getAttribute(directory, "unix:uid");
        if (owner != Posix.userId()) {
            throw new IOException("The cache directory " + directory + " belongs to another user (uid " + owner
                    + ", this process runs as uid " + Posix.userId() + "), who could replace the libraries in it.");
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("The cache directory " + directory + " can be written by others ("
                    + PosixFilePermissions.toString(permissions)
                    + "), who could replace the libraries in it: run chmod 700 "
                    + directory + ".");
        }
        return directory;
    }
}
