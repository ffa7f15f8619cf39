package dev.outcrop.rocksdbjni;

import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.util.Collections;
import java.util.List;

/** Tells where the classes of {@code org.rocksdb} come from. */
public final class ClassOrigin {

    /** The system property that names the jar of these classes. No other implementation sets it. */
    public static final String PROPERTY = "outcrop.rocksdbjni";

    private ClassOrigin() {
    }

    /**
     * Sets the system property, and warns if the class path has other classes with the same names. The JVM uses the first classes on the
     * class path.
     *
     * @param type one of the classes
     */
    public static void announce(Class<?> type) {
        String resource = type.getName().replace('.', '/') + ".class";
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String ours = source == null || source.getLocation() == null ? "unknown" : source.getLocation().toString();
        System.setProperty(PROPERTY, ours);
        List<String> all = places(type.getClassLoader(), resource);
        if (all.size() > 1) {
            List<String> others = all.stream().filter(place -> !place.contains(ours))
                    .map(place -> jar(place, resource)).toList();
            System.getLogger("dev.outcrop.rocksdbjni").log(System.Logger.Level.WARNING,
                    "The classes of org.rocksdb are on the class path more than once. Those of Outcrop are used, from "
                            + ours + "; remove " + String.join(", ", others));
        }
    }

    private static List<String> places(ClassLoader loader, String resource) {
        try {
            return Collections
                    .list(loader == null ? ClassLoader.getSystemResources(resource) : loader.getResources(resource))
                    .stream().map(URL::toString).distinct().toList();
        } catch (IOException e) {
            // Without a list there is nothing to warn about.
            return List.of();
        }
    }

    /** Returns the jar or directory that contains the resource. */
    private static String jar(String place, String resource) {
        String container = place.substring(0, place.length() - resource.length());
        return container.startsWith("jar:") && container.endsWith("!/")
                ? container.substring("jar:".length(), container.length() - "!/".length())
                : container;
    }
}
