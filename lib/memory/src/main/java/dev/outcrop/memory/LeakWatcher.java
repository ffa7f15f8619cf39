package dev.outcrop.memory;

import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of the {@link LeakDetector} that exists only when it is on: the open objects, and the thread that reports lost ones. */
final class LeakWatcher {
    static final String LOGGER = "dev.outcrop.leaks";

    private static final ReferenceQueue<LeakDetector.Tracker> LOST = new ReferenceQueue<>();
    /** Keeps the references themselves from being collected. */
    private static final Set<Opening> OPEN = ConcurrentHashMap.newKeySet();
    private static final AtomicLong LEAKED = new AtomicLong();
    private static final Map<String, Long> LEAKED_BY_CLASS = new ConcurrentHashMap<>();

    static {
        Thread.ofPlatform().name("outcrop-leaks").daemon().inheritInheritableThreadLocals(false)
                .start(LeakWatcher::reportLost);
    }

    private LeakWatcher() {
    }

    static Opening watch(LeakDetector.Tracker tracker, Class<?> owner, String description) {
        Opening opening = new Opening(tracker, owner.getName(), description);
        OPEN.add(opening);
        return opening;
    }

    static void forget(Opening opening) {
        OPEN.remove(opening);
        opening.clear();
    }

    static long leaked() {
        return LEAKED.get();
    }

    static Map<String, Long> leakedByClass() {
        return new TreeMap<>(LEAKED_BY_CLASS);
    }

    static Map<String, Long> open() {
        return OPEN.stream().collect(Collectors.groupingBy(opening -> opening.type, TreeMap::new,
                Collectors.counting()));
    }

    static List<LeakDetector.Place> places(int most) {
        Map<List<String>, Long> counts = OPEN.stream()
                .collect(Collectors.groupingBy(opening -> List.of(opening.type, opening.stack.frames()),
                        Collectors.counting()));
        return counts.entrySet().stream().sorted(Map.Entry.<List<String>, Long>comparingByValue().reversed())
                .limit(most)
                .map(place -> new LeakDetector.Place(place.getKey().get(0), place.getValue(), place.getKey().get(1)))
                .toList();
    }

    private static void reportLost() {
        while (true) {
            try {
                Opening lost = (Opening) LOST.remove();
                if (OPEN.remove(lost)) {
                    report(lost);
                }
            } catch (InterruptedException e) {
                // This thread must not end.
            }
        }
    }

    private static void report(Opening lost) {
        try {
            lost.stack.trim();
            LeakEvent event = new LeakEvent();
            event.description = lost.description;
            event.creationStack = lost.stack.frames();
            event.commit();
            String message = "Leak: " + lost.description + " was garbage-collected but never closed, so its native"
                    + " memory is lost. Close it, best with try-with-resources. This is where it was opened.";
            System.getLogger(LOGGER).log(Level.WARNING, message, lost.stack);
        } catch (RuntimeException e) {
            // The program's logger failed. This thread must still report later leaks.
        } finally {
            LEAKED_BY_CLASS.merge(lost.type, 1L, Long::sum);
            LEAKED.incrementAndGet();
        }
    }

    /** One watched object. */
    static final class Opening extends PhantomReference<LeakDetector.Tracker> {
        private final String type;
        private final String description;
        private final OpenedHere stack = new OpenedHere();

        Opening(LeakDetector.Tracker tracker, String type, String description) {
            super(tracker, LOST);
            this.type = type;
            this.description = description.equals(type) ? type : description + " (" + type + ")";
        }
    }

    /** The stack that opened an object. A throwable, because its stack trace is cheap to take and loggers can print it. */
    private static final class OpenedHere extends Throwable {
        private static final long serialVersionUID = 1;

        /** Drops the frames of this package, which are the same for every object. */
        void trim() {
            setStackTrace(trimmed().toArray(StackTraceElement[]::new));
        }

        private Stream<StackTraceElement> trimmed() {
            return Arrays.stream(getStackTrace()).dropWhile(OpenedHere::isInternal);
        }

        private static boolean isInternal(StackTraceElement frame) {
            String name = frame.getClassName();
            return name.substring(0, name.lastIndexOf('.') + 1).equals(LeakWatcher.class.getPackageName() + ".");
        }

        String frames() {
            return trimmed().map(StackTraceElement::toString).collect(Collectors.joining("\n"));
        }
    }
}
