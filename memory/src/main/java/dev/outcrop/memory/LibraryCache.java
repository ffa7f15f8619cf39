package dev.outcrop.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
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
import java.util.HexFormat;
import java.util.Set;

/**
 * Libraries unpacked from jars into a directory that belongs to one user, each under the SHA-256 of its content:
 *
 * <pre>
 *   &lt;root&gt;/                          0700, owned by this user
 *     &lt;sha256&gt;/                      0700, owned by this user
 *       librocksdb.so                complete, or not there: renamed into place
 *       .unpacking-4711.tmp          while a process writes it
 * </pre>
 *
 * A file is hashed before every use, so that a damaged one is replaced and never loaded. Any number of processes may
 * unpack at once: each writes a file of its own, and the last rename wins with the same content. A file in place is
 * never written to, because other processes may run from it.
 */
final class LibraryCache {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    static final String DIRECTORY_PROPERTY = "outcrop.cache.directory";

    private final Path root;

    /** The directory need not exist. */
    LibraryCache(Path root) {
        this.root = root;
    }

    /** The cache of the user this process runs as, or of the property. */
    static LibraryCache ofUser(Platform platform) throws IOException {
        String explicit = System.getProperty(DIRECTORY_PROPERTY);
        if (explicit != null) {
            return new LibraryCache(Path.of(explicit).toAbsolutePath());
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        // The XDG Base Directory Specification has relative paths ignored.
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

    /**
     * Returns the unpacked file, verified; unpacks it first if it is missing or damaged.
     *
     * @throws IOException with a message that says what is wrong with the directory or with the content
     */
    Path unpack(URL content, String fileName, String sha256) throws IOException {
        return Uninterrupted.get(() -> unpackOnce(content, fileName, sha256));
    }

    private Path unpackOnce(URL content, String fileName, String sha256) throws IOException {
        // The real path: a symbolic link on the way could be turned elsewhere between the check and the use.
        Path directory = requirePrivate(requirePrivate(root).toRealPath().resolve(sha256));
        Path file = directory.resolve(fileName);
        if (!Files.isRegularFile(file) || !sha256(file).equals(sha256)) {
            write(content, sha256, directory, file);
        }
        return file;
    }

    private static void write(URL content, String sha256, Path directory, Path file) throws IOException {
        Path unpacking = Files.createTempFile(directory, ".unpacking-", ".tmp");
        try {
            String written = copy(content, unpacking);
            if (!written.equals(sha256)) {
                throw new IOException("The content of " + content + " is damaged: its SHA-256 is " + written + ", and "
                        + sha256 + " is expected. Download the jar again.");
            }
            Files.move(unpacking, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unpacking);
        }
    }

    /** Copies to the file, through to the disk, and returns the SHA-256 of what was copied. */
    private static String copy(URL content, Path to) throws IOException {
        MessageDigest digest = newSha256();
        try (InputStream in = new DigestInputStream(open(content), digest);
                FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(channel)) {
            in.transferTo(out);
            // Before the rename: after a power failure the final name must not stand for a file without content.
            channel.force(true);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Without the JVM's cache of open jars, which would keep the jar of an unloaded application open. */
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

    /** Creates the directory if it is missing; refuses one in which somebody else could put a library of theirs. */
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
