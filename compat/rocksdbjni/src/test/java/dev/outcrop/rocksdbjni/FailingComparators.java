package dev.outcrop.rocksdbjni;

import dev.outcrop.rocksdbjni.FailingComparator.Kind;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.rocksdb.RocksDBException;

/**
 * The program of {@link FailingComparatorsProgramTest}: databases with a comparator that is sound until some comparison, and throws or lies
 * from then on. Each database is opened afterwards with a comparator that works, and compared with the acknowledged writes. Arguments: a
 * directory, a seed, the number of databases, and {@code liars} for comparators that lie. Each database has the next seed, which chooses
 * everything, including the kind of failure.
 *
 * <p>A comparator that throws must lose nothing. One that lies is seen only when it contradicts itself, and until then RocksDB can take the
 * order of its files from it. So a liar may lose something if some call has been refused: that is counted and printed. A loss of which no
 * call has told is a failure.
 */
final class FailingComparators {
    private static final long MOST_SECONDS = 120;
    /** Kept, because an unreachable logger forgets its level. */
    private static final Logger LOG = Logger.getLogger("dev.outcrop.rocksdb");

    private FailingComparators() {
    }

    static void main(String[] arguments) throws Exception {
        LOG.setLevel(Level.OFF);
        FailingComparator.enter();
        Path directory = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int databases = Integer.parseInt(arguments[2]);
        boolean isOfLiars = arguments.length > 3;
        AtomicInteger current = new AtomicInteger();
        Thread.ofPlatform().daemon().start(() -> watch(current));
        int lost = 0;
        int down = 0;
        Map<String, Integer> said = new TreeMap<>();
        for (; current.get() < databases; seed++) {
            Kind kind = Kind.of(seed);
            if (kind.isLiar() != isOfLiars) {
                continue;
            }
            // Printed before, for the case that nothing is printed after.
            System.out.println(kind + ", seed " + seed);
            try (FailingDatabase database = new FailingDatabase(directory.resolve("db" + seed), kind, seed)) {
                database.use();
                try {
                    database.verify();
                } catch (AssertionError | RocksDBException e) {
                    boolean isTold = kind.isLiar() && database.hasRefused();
                    if (!isTold && !FailingComparator.ANYWHERE) {
                        throw e;
                    }
                    lost++;
                    System.out.println("lost, " + kind + ", seed " + seed + ", begun in " + database.fault.begunIn()
                            + (database.hasRefused() ? ", told: " : ", not told: ") + e.getMessage());
                }
                down += database.said().isEmpty() ? 0 : 1;
                database.said().forEach(each -> said.merge(each, 1, Integer::sum));
            }
            current.incrementAndGet();
        }
        if (Boolean.getBoolean("outcrop.failing.verbose")) {
            said.forEach((what, count) -> System.out.println(count + " × " + what));
        }
        System.out.println(down + " of " + databases + " have refused something, " + lost + " have lost something");
        System.out.println("done");
    }

    /** Ends the program if a database takes too long. */
    @SuppressWarnings("SystemExitOutsideMain")
    private static void watch(AtomicInteger current) {
        int last = -1;
        long since = 0;
        while (true) {
            int now = current.get();
            if (now != last) {
                last = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > MOST_SECONDS * 1_000_000_000L) {
                System.out.println("It hangs:");
                Thread.getAllStackTraces().forEach((thread, frames) -> {
                    System.out.println(thread);
                    for (StackTraceElement frame : frames) {
                        System.out.println("    " + frame);
                    }
                });
                Runtime.getRuntime().halt(3);
            }
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
