package dev.outcrop.benchmarks.harness;

/**
 * What distinguishes a case, on its way into a forked JVM: system properties, because JMH makes the objects that need
 * it.
 */
public final class Settings {
    private static final String PREFIX = "outcrop.benchmarks.";

    private Settings() {
    }

    /**
     * Makes an argument of a JVM.
     *
     * @param name  name of the setting
     * @param value its value
     * @return what sets it there
     */
    public static String define(String name, Object value) {
        return "-D" + PREFIX + name + '=' + value;
    }

    /**
     * A setting of this JVM.
     *
     * @param name its name
     * @return its value
     * @throws IllegalStateException if it is not set
     */
    public static String text(String name) {
        String value = System.getProperty(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(
                    "System property " + PREFIX + name + " is not set: start this benchmark through Main");
        }
        return value;
    }

    /**
     * A setting of this JVM that is a number.
     *
     * @param name its name
     * @return its value
     * @throws IllegalStateException if it is not set
     */
    public static int number(String name) {
        return Integer.parseInt(text(name));
    }

    /**
     * A setting of this JVM that is true or false.
     *
     * @param name its name
     * @return its value
     * @throws IllegalStateException if it is not set
     */
    public static boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }
}
