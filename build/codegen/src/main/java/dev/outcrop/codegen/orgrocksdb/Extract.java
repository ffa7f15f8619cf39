package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that makes the table of published signatures from the published jar. It is run by hand when the version changes. */
public final class Extract {

    private Extract() {
    }

    /**
     * Writes the table.
     *
     * @param args the version, the published jar, and the file to write
     * @throws IOException if the jar cannot be read or the table cannot be written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("usage: Extract VERSION JAR TABLE");
            System.exit(2);
        }
        List<String> rows = new ArrayList<>();
        rows.add("version\t" + args[0]);
        rows.addAll(rows(Path.of(args[1])));
        Files.writeString(Path.of(args[2]), String.join("\n", rows) + "\n");
    }

    /**
     * Reads the public classes of a jar or directory that needs no other one.
     *
     * @param jar a jar, or a directory
     * @return rows of the table
     * @throws IOException if it cannot be read
     */
    public static List<String> rows(Path jar) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(new URL[]{url(jar)}, ClassLoader.getPlatformClassLoader())) {
            return rows(jar, loader);
        }
    }

    /**
     * Reads the public classes of a jar or directory.
     *
     * @param jar    a jar, or a directory
     * @param loader loads its enums and configurations, to read their values
     * @return rows of the table
     * @throws IOException if it cannot be read
     */
    public static List<String> rows(Path jar, ClassLoader loader) throws IOException {
        List<String> rows = new ArrayList<>();
        for (PublishedClass published : ClassFiles.of(jar).published()) {
            rows.addAll(published.rows());
            if (published.isSettings()) {
                rows.addAll(Defaults.rows(loader, published.name()));
            }
            if (published.isEnum()) {
                rows.addAll(EnumValues.rows(loader, published.name()));
            }
        }
        return rows;
    }

    private static URL url(Path jar) {
        try {
            return URI.create(jar.toUri().toString()).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not a file: " + jar, e);
        }
    }
}
