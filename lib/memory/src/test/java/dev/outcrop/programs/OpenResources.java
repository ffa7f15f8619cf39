package dev.outcrop.programs;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.LeakDetector.Tracker;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens things that must be closed, and prints what the leak detector makes of it. */
public final class OpenResources {
    private static final int NANOS = 1_000_000_000;

    private OpenResources() {
    }

    /** Each argument says what to do next. */
    static void main(String[] arguments) throws InterruptedException {
        for (String what : arguments) {
            switch (what) {
                case "lose-some" -> loseSome();
                case "close-all" -> closeAll();
                case "count" -> count();
                case "measure" -> measure();
                default -> throw new IllegalArgumentException(what);
            }
        }
    }

    /** Of five, two are closed, one of them twice. */
    private static void loseSome() throws InterruptedException {
        for (int i = 1; i <= 3; i++) {
            lose(i);
        }
        Resource closed = new Resource("closed 4");
        closed.close();
        closed.close();
        new Resource("closed 5").close();
        await(3);
        // Whatever else were found would be found by now.
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println("leaked " + LeakDetector.leaked());
        System.out.println("watched " + Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .anyMatch(name -> name.equals("outcrop-leaks")));
    }

    private static void lose(int number) {
        new Resource("lost " + number);
    }

    /** Closes all while the collector is busy, then loses one, whose report comes after all others. */
    private static void closeAll() throws InterruptedException {
        for (int i = 0; i < 300_000; i++) {
            new Resource("closed").close();
        }
        lose(1);
        await(1);
        System.out.println("leaked " + LeakDetector.leaked());
    }

    private static void count() {
        List<Resource> all = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            all.add(new Resource("counted"));
        }
        System.out.println("tracked " + all.stream().filter(resource -> resource.tracker != null).count());
        all.forEach(Resource::close);
    }

    /** The fewest bytes on the heap for 1,000 resources that never leave their method. */
    private static void measure() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 200 && least > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            openAndClose(1000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println("allocated " + least);
    }

    private static void openAndClose(int times) {
        for (int i = 0; i < times; i++) {
            new Resource("measured").close();
        }
    }

    private static void await(long leaks) throws InterruptedException {
        long deadline = System.nanoTime() + 60L * NANOS;
        while (LeakDetector.leaked() < leaks && Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("outcrop-leaks")) && System.nanoTime() < deadline) {
            System.gc();
            Thread.sleep(10);
        }
    }

    private static final class Resource {
        private final @Nullable Tracker tracker;

        Resource(String name) {
            tracker = LeakDetector.track(this, name);
        }

        void close() {
            if (tracker != null) {
                tracker.close();
            }
        }
    }
}
