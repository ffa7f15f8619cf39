package dev.outcrop.memory;

import java.lang.ref.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds native objects whose owner was garbage-collected but never closed, and reports where they were opened.
 *
 * <p>The system property {@code outcrop.leaks} says how many objects are tracked:
 * <ul>
 * <li>{@code off}, the default: none. Tracking small, short-lived objects has a price that not every program wants to pay. Each object
 * costs a stack trace and one more reference that the collector must process and queue. The JIT compiler can no longer replace the object
 * by its fields, because a reference to it escapes. When off, {@link #track} is a constant {@code null}, and compiled code contains none of
 * this;
 * <li>{@code sampled}: one in {@code outcrop.leaks.interval} (default 128), chosen at random. For production: a leak that matters happens
 * often, so sampling finds it;
 * <li>{@code always}: all. For tests.
 * </ul>
 *
 * <p>Each lost object is reported once: as a WARNING of the {@link System.Logger} {@code dev.outcrop.leaks}, with the stack that opened it,
 * and as the JDK Flight Recorder event {@code dev.outcrop.Leak}. A daemon thread makes the report some time after the collector has found
 * the object, and not at all if the JVM ends before that. The detector frees no native memory, because another thread might still be using
 * it.
 *
 * <p>All methods are thread-safe.
 */
public final class LeakDetector {
    private static final Mode MODE = mode(System.getProperty("outcrop.leaks", "off"));
    private static final int INTERVAL = interval(System.getProperty("outcrop.leaks.interval", "128"));

    private LeakDetector() {
    }

    private enum Mode {
        OFF,
        SAMPLED,
        ALWAYS
    }

    /**
     * Starts to watch an object that must be closed.
     *
     * @param owner       the object that users hold and must close. It keeps the tracker in a field for as long as it lives. Nothing that
     *                    outlives the owner may hold the tracker: when the tracker is collected, the owner is gone
     * @param description of the object, for the report, for example {@code "iterator of database /data/users"}
     * @return the tracker, which the owner must close with itself, or {@code null} if this object is not watched
     */
    public static @Nullable Tracker track(Object owner, String description) {
        if (MODE == Mode.OFF || (MODE == Mode.SAMPLED && ThreadLocalRandom.current().nextInt(INTERVAL) != 0)) {
            return null;
        }
        return new Tracker(owner.getClass(), description);
    }

    /**
     * Returns whether objects are watched.
     *
     * @return false if the mode is {@code off}
     */
    public static boolean isOn() {
        return MODE != Mode.OFF;
    }

    /**
     * Returns how many watched objects of each class are open.
     *
     * @return the numbers by the names of the classes
     */
    public static Map<String, Long> open() {
        return isOn() ? LeakWatcher.open() : Map.of();
    }

    /**
     * Returns how many leaks of each class have been reported.
     *
     * @return the numbers by the names of the classes
     */
    public static Map<String, Long> leakedByClass() {
        return isOn() ? LeakWatcher.leakedByClass() : Map.of();
    }

    /**
     * A place in the program that makes watched objects.
     *
     * @param type  the class of the objects
     * @param open  how many of the objects made here are open
     * @param stack the stack, one frame on each line
     */
    public record Place(String type, long open, String stack) {
    }

    /**
     * Returns the places where the open watched objects were made. This takes some time if there are many objects.
     *
     * @param most how many places at most
     * @return the places with the most open objects first
     */
    public static List<Place> places(int most) {
        return isOn() ? LeakWatcher.places(most) : List.of();
    }

    /**
     * Returns how many leaks have been reported.
     *
     * @return the number since the JVM was started
     */
    public static long leaked() {
        return MODE == Mode.OFF ? 0 : LeakWatcher.leaked();
    }

    /** Watches one object until it is closed. Thread-safe. */
    public static final class Tracker implements AutoCloseable {
        private final LeakWatcher.Opening opening;

        private Tracker(Class<?> owner, String description) {
            this.opening = LeakWatcher.watch(this, owner, description);
        }

        /** Ends the watch. Does nothing if it has ended before. */
        @Override
        public void close() {
            try {
                LeakWatcher.forget(opening);
            } finally {
                // Until the tracker is forgotten, the collector must not find it, which would report a leak.
                Reference.reachabilityFence(this);
            }
        }
    }

    private static Mode mode(String value) {
        for (Mode mode : Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(value)) {
                return mode;
            }
        }
        warn("outcrop.leaks", value, "off, sampled or always", "off");
        return Mode.OFF;
    }

    private static int interval(String value) {
        try {
            int interval = Integer.parseInt(value);
            if (interval > 0) {
                return interval;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that makes no sense.
        }
        warn("outcrop.leaks.interval", value, "a number above 0", "128");
        return 128;
    }

    private static void warn(String property, String value, String expected, String used) {
        System.getLogger(LeakWatcher.LOGGER).log(System.Logger.Level.WARNING,
                "The system property " + property + " is '" + value
                        + "', which is not " + expected + "; " + used + " is used.");
    }
}
