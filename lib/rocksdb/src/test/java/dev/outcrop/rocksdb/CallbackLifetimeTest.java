package dev.outcrop.rocksdb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.rocksdb.CompactionFilter.Decision;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RocksDB keeps callback objects for as long as it may call them, and no longer. */
class CallbackLifetimeTest extends DatabaseTest {
    private static final int MOST_LOOKS = 6000;

    {
        closeLater(new CallbackLog());
    }

    private static KeyComparator comparator() {
        return KeyComparator.of("test.Reverse", (a, b) -> text(b).compareTo(text(a)));
    }

    private static MergeFunction last() {
        return NamedCallbacks.merge("test.Last", (_, _, operands, result) -> result.write(operands.getLast()));
    }

    /** With a callback of each type; only the options hold the objects. */
    private static Options withAll() {
        return create().comparator(comparator()).mergeOperator(last())
                .compactionFilter((_, key, _, _) -> text(key).startsWith("remove")
                        ? Decision.REMOVE
                        : Decision.KEEP)
                .compactionFilterFactory(_ -> (_, _, _, _) -> Decision.KEEP).infoLog((_, _) -> {
                }, InfoLogLevel.INFO).addEventListener(new EventListener() {
                }).walFilter((_, _, _, _) -> WalFilter.Decision.KEEP)
                .prefixExtractor(SliceTransform.of(
                        NamedCallbacks.prefix("test.First", key -> Math.min(1, key.byteSize()))));
    }

    private static void use(RocksDB db, int round) {
        for (int i = 0; i < 100; i++) {
            db.put(Bytes.of("key " + i), Bytes.of("value"));
            db.merge(Bytes.of("key " + i), Bytes.of("merged " + round));
        }
        db.put(Bytes.of("remove"), Bytes.of("value"));
        db.flush();
        db.compact();
        List<String> keys = new ArrayList<>();
        db.scan((key, value) -> {
            assertThat(text(value)).isEqualTo("merged " + round);
            return keys.add(text(key));
        });
        assertThat(keys).hasSize(100).startsWith("key 99").endsWith("key 0");
    }

    @SuppressWarnings("SystemGc")
    private static void collect() {
        System.gc();
    }

    @Test
    @Tag("verify")
    void theyLiveWhileTheDatabaseIsOpen() throws InterruptedException {
        try (RocksDB db = RocksDB.open(directory, withAll())) {
            Thread collecting = Thread.ofPlatform().start(() -> {
                while (!Thread.interrupted()) {
                    collect();
                    // The callbacks are called between two collections, not during one.
                    LockSupport.parkNanos(5_000_000);
                }
            });
            for (int round = 0; round < 2; round++) {
                use(db, round);
            }
            collecting.interrupt();
            collecting.join();
        }
    }

    @Test
    void theyEndWithTheDatabasesAndTheirOptions() throws InterruptedException {
        awaitCount(0);
        int before = Callbacks.count();
        for (int i = 0; i < 5; i++) {
            try (RocksDB db = RocksDB.open(directory, withAll())) {
                assertThat(Callbacks.count()).isGreaterThanOrEqualTo(before + 8);
                use(db, i);
            }
        }
        awaitCount(before);
        assertThat(Callbacks.count()).isLessThanOrEqualTo(before);
    }

    /** Waits until no more than so many are left; what the test does not hold is up to the collector. */
    private static void awaitCount(int count) throws InterruptedException {
        for (int i = 0; i < MOST_LOOKS && Callbacks.count() > count; i++) {
            collect();
            Thread.sleep(10);
        }
    }

    @Test
    void closingTheDatabaseInACallbackIsRefused() {
        AtomicReference<@Nullable RocksDB> opened = new AtomicReference<>();
        KeyComparator closing = KeyComparator.of("test.Closing", (a, b) -> {
            RocksDB db = opened.get();
            if (db != null) {
                db.close();
            }
            return text(a).compareTo(text(b));
        });
        try (RocksDB db = open(create().comparator(closing))) {
            db.put(Bytes.of("a"), Bytes.of("1"));
            db.put(Bytes.of("b"), Bytes.of("2"));
            opened.set(db);
            assertThatThrownBy(() -> db.get(Bytes.of("a"))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("callback");
            opened.set(null);
            assertThat(db.get(Bytes.of("a"))).asString().isEqualTo("1");
        }
    }

    /** Leaves a database open and unreachable while a compaction with callbacks is under way, and ends in the given way. */
    static final class LeaveOpen {
        static void main(String[] arguments) throws InterruptedException {
            CountDownLatch compacting = new CountDownLatch(1);
            start(Path.of(arguments[0]), compacting);
            compacting.await();
            Collector.run();
            Collector.run();
            System.out.println("ending");
            switch (arguments[1]) {
                case "exit" -> System.exit(3);
                case "halt" -> Runtime.getRuntime().halt(3);
                default -> throw new IllegalStateException("ends with an exception");
            }
        }

        private static void start(Path directory, CountDownLatch compacting) {
            AtomicInteger calls = new AtomicInteger();
            RocksDB db = RocksDB.open(directory, create().comparator(comparator())
                    .disableAutoCompactions(false).level0FileNumCompactionTrigger(2)
                    .compactionFilter((_, _, _, _) -> {
                        if (calls.incrementAndGet() == 10) {
                            compacting.countDown();
                        }
                        // RocksDB looks after a thousand entries whether it is to end, and that must not take seconds.
                        LockSupport.parkNanos(100_000);
                        return Decision.KEEP;
                    }));
            for (int file = 0; file < 4; file++) {
                for (int i = 0; i < 5_000; i++) {
                    db.put(Bytes.of("key " + i), Bytes.of("value"));
                    if (compacting.getCount() == 0) {
                        return;
                    }
                }
                db.flush();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "exit")
    @Tag("verify")
    void theJvmEndsWhileTheyAreCalled(String how) throws IOException, InterruptedException {
        assumeTrue(!how.equals("halt") || Linker.nativeLinker().defaultLookup().find("on_exit").isPresent());
        check(ChildJvm.shortLived().run(LeaveOpen.class, directory, how), how);
    }

    @ParameterizedTest
    @ValueSource(strings = {"halt", "return"})
    @Tag("nightly")
    void theJvmEndsInOtherWaysWhileTheyAreCalled(String how) throws IOException, InterruptedException {
        theJvmEndsWhileTheyAreCalled(how);
    }

    @Test
    @Tag("nightly")
    void theJvmExitsWhereCCannotHelp() throws IOException, InterruptedException {
        theJvmEndsWhereCCannotHelp("exit");
    }

    @ParameterizedTest
    @ValueSource(strings = "return")
    @Tag("verify")
    void theJvmEndsWhereCCannotHelp(String how) throws IOException, InterruptedException {
        check(ChildJvm.shortLived().option("-Doutcrop.exit.hook=true").run(LeaveOpen.class, directory, how), how);
    }

    private static void check(ChildJvm.Result result, String how) {
        assertThat(result.output()).contains("ending");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(how.equals("return") ? 1 : 3);
    }

    /** Closes everything, as it should be; RocksDB's threads have still been in Java. */
    static final class CloseAll {
        static void main(String[] arguments) {
            try (RocksDB db = RocksDB.open(Path.of(arguments[0]), withAll())) {
                use(db, 1);
            }
            System.out.println("ending");
            throw new IllegalStateException("ends with an exception");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("nightly")
    void theJvmEndsAfterTheyWereCalled(boolean withHook) throws IOException, InterruptedException {
        check(ChildJvm.shortLived().option("-Doutcrop.exit.hook=" + withHook).run(CloseAll.class, directory), "return");
    }
}
