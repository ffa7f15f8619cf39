package dev.outcrop.memory;

import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
import java.util.Set;
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

    static {
        Thread.ofPlatform().name("outcrop-leaks").daemon().inheritInheritableThreadLocals(false)
                .start(LeakWatcher::reportLost);
    }

    private LeakWatcher() {
    }

    static Opening watch(LeakDetector.Tracker tracker, Class<?> owner, String description) {
        Opening opening = new Opening(tracker, description + " (" + owner.getName() + ")");
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
        lost.stack.trim();
        try {
            LeakEvent event = new LeakEvent();
            event.description = lost.description;
            event.creationStack = lost.stack.frames();
            event.commit();
            String message = "Leak: " + lost.description + " was garbage-collected but never closed, so its native"
                    + " memory is lost. Close it, best with try-with-resources. This is where it was opened.";
            System.getLogger(LOGGER).log(Level.WARNING, message, lost.stack);
        } catch (RuntimeException e) {
            // The program's logger failed. Later leaks must still be reported.
        } finally {
            LEAKED.incrementAndGet();
        }
    }

    /** One watched object. */
    static final class Opening extends PhantomReference<LeakDetector.Tracker> {
        private final String description;
        private final OpenedHere stack = new OpenedHere();

        Opening(LeakDetector.Tracker tracker, String description) {
            super(tracker, LOST);
            this.description = description;
        }
    }

    /** The stack that opened an object. A throwable, because that is cheap to take and loggers can print it. */
    private static final class OpenedHere extends Throwable {
        private static final long serialVersionUID = 1;

        /** Drops the frames of this package, which are the same for every object. */
        void trim() {
            setStackTrace(Arrays.stream(getStackTrace()).dropWhile(OpenedHere::isInternal)
                    .toArray(StackTraceElement[]::new));
        }

        private static boolean isInternal(StackTraceElement frame) {
            String name = frame.getClassName();
            return name.substring(0, name.lastIndexOf('.') + 1).equals(LeakWatcher.class.getPackageName() + ".");
        }

        String frames() {
            return Stream.of(getStackTrace()).map(StackTraceElement::toString).collect(Collectors.joining("\n"));
        }
    }
}
