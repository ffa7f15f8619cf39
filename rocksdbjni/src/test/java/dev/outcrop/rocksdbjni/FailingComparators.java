package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractComparator;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The program of {@link FailingComparatorsProgramTest}: databases of all kinds, whose comparator is sound until some comparison, and throws
 * or lies from then on. Each is opened with a comparator that works afterwards, and compared with what was acknowledged. Arguments: a
 * directory, a seed, how many databases.
 */
final class FailingComparators {
    /**
     * Lets failures begin where nothing can prevent that data is lost, which is counted then: while the caller's thread opens, ingests,
     * deletes files or moves them to another level.
     */
    private static final boolean ANYWHERE = Boolean.getBoolean("outcrop.failing.anywhere");
    private static final int KEYS = 300;
    /** Instead of a value. */
    private static final String NONE = "";
    private static final long MOST_SECONDS = 120;
    /** Kept, because a logger that nobody knows forgets its level. */
    private static final Logger LOG = Logger.getLogger("dev.outcrop.rocksdb");
    /** Threads that are not RocksDB's. */
    private static final Set<Thread> OWN = ConcurrentHashMap.newKeySet();

    private FailingComparators() {
    }

    /** What a comparator does when it fails. */
    private enum Kind {
        THROWS,
        THROWS_SOMETIMES,
        THROWS_ONCE,
        THROWS_FOR_A_WHILE,
        THROWS_FOR_SOME_KEYS,
        THROWS_IN_BACKGROUND,
        THROWS_ONCE_IN_BACKGROUND,
        THROWS_IN_CALLER,
        OVERFLOWS,
        RUNS_OUT_OF_MEMORY,
        IS_GIVEN_A_BAD_KEY,
        RANDOM,
        RANDOM_IN_BACKGROUND,
        SOMETIMES_REVERSED,
        REVERSED,
        REVERSED_IN_BACKGROUND,
        ALWAYS_EQUAL,
        ALWAYS_LESS;

        /** Whether it answers or throws for the same keys on the same thread as it did before. */
        boolean isSteady() {
            return switch (this) {
                case THROWS, THROWS_FOR_SOME_KEYS, THROWS_IN_BACKGROUND, THROWS_IN_CALLER, IS_GIVEN_A_BAD_KEY -> true;
                default -> false;
            };
        }

        /** Whether it is sound on the threads of the program. */
        boolean isInBackground() {
            return switch (this) {
                case THROWS_IN_BACKGROUND, THROWS_ONCE_IN_BACKGROUND, RANDOM_IN_BACKGROUND, REVERSED_IN_BACKGROUND ->
                    true;
                default -> false;
            };
        }
    }

    /** When the comparators of a database begin to fail, and how. */
    private static final class Fault {
        private final Kind kind;
        private final boolean isReversed;
        private final AtomicInteger left = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private volatile boolean begun;
        private volatile boolean isSound;
        /** How many calls are running in which no failure may begin. */
        private int sheltered;
        private volatile String begunIn = "";

        Fault(Kind kind, boolean isReversed) {
            this.kind = kind;
            this.isReversed = isReversed;
        }

        Comparator<String> order() {
            return isReversed ? Comparator.reverseOrder() : Comparator.naturalOrder();
        }

        synchronized boolean shelter() {
            if (begun && !ANYWHERE && !kind.isInBackground()) {
                return false;
            }
            sheltered++;
            return true;
        }

        synchronized void leave() {
            sheltered--;
        }

        synchronized void begin() {
            if (!begun && (sheltered == 0 || ANYWHERE || kind.isInBackground())) {
                begun = true;
                begunIn = Thread.currentThread() + (sheltered == 0 ? "" : ", sheltered");
            }
        }

        int compare(ByteBuffer a, ByteBuffer b) {
            int order = isReversed ? b.compareTo(a) : a.compareTo(b);
            if (isSound) {
                return order;
            }
            boolean isOwn = OWN.contains(Thread.currentThread());
            if (kind == Kind.IS_GIVEN_A_BAD_KEY) {
                if (a.remaining() < 3 || b.remaining() < 3) {
                    throw new IndexOutOfBoundsException("on purpose");
                }
                return order;
            }
            if (!begun) {
                if (left.decrementAndGet() > 0 || (isOwn && kind.isInBackground())) {
                    return order;
                }
                begin();
                if (!begun) {
                    return order;
                }
            }
            if (isOwn ? kind.isInBackground() : kind == Kind.THROWS_IN_CALLER) {
                return order;
            }
            int failure = failures.incrementAndGet();
            return switch (kind) {
                case THROWS, THROWS_IN_BACKGROUND, THROWS_IN_CALLER -> throw new IllegalArgumentException("on purpose");
                case THROWS_SOMETIMES -> throwIf(failure % 7 == 0, order);
                case THROWS_ONCE, THROWS_ONCE_IN_BACKGROUND -> throwIf(failure == 1, order);
                case THROWS_FOR_A_WHILE -> throwIf(failure <= 300, order);
                case THROWS_FOR_SOME_KEYS -> throwIf(isBad(a) || isBad(b), order);
                case OVERFLOWS -> throw new StackOverflowError("on purpose");
                case RUNS_OUT_OF_MEMORY -> throw new OutOfMemoryError("on purpose");
                case RANDOM, RANDOM_IN_BACKGROUND -> Integer.remainderUnsigned(failure * 0x9E3779B9, 3) - 1;
                case SOMETIMES_REVERSED -> (failure * 0x9E3779B9) >>> 26 == 0 ? -order : order;
                case REVERSED, REVERSED_IN_BACKGROUND -> -order;
                case ALWAYS_EQUAL -> 0;
                case ALWAYS_LESS -> -1;
                case IS_GIVEN_A_BAD_KEY -> order;
            };
        }

        private static int throwIf(boolean fails, int order) {
            if (fails) {
                throw new IllegalArgumentException("on purpose");
            }
            return order;
        }

        private static boolean isBad(ByteBuffer key) {
            return key.remaining() > 0 && key.get(key.limit() - 1) == '7';
        }
    }

    private static final class Failing extends AbstractComparator {
        private final Fault fault;

        Failing(ComparatorOptions options, Fault fault) {
            super(options);
            this.fault = fault;
        }

        @Override
        public String name() {
            return "test.Failing";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            return fault.compare(a, b);
        }
    }

    /** What a key may have as its value, and those that may have any. */
    private static final class Model {
        private final Map<String, Set<String>> values = new TreeMap<>();
        private final Set<String> anything = new TreeSet<>();

        private Set<String> of(String key) {
            return values.computeIfAbsent(key, _ -> new HashSet<>(Set.of(NONE)));
        }

        void may(String key, String value) {
            of(key).add(value);
        }

        void is(String key, String value) {
            anything.remove(key);
            values.put(key, new HashSet<>(Set.of(value)));
        }

        boolean allows(String key, String value) {
            Set<String> allowed = values.get(key);
            return anything.contains(key) || (allowed == null ? value.equals(NONE) : allowed.contains(value));
        }
    }

    /** A database as it is opened again and again. */
    private static final class Subject implements AutoCloseable {
        private final Path path;
        private final Random random;
        private final Fault fault;
        private final List<AbstractNativeReference> owned = new ArrayList<>();
        private final DBOptions options;
        private final List<ColumnFamilyDescriptor> families = new ArrayList<>();
        private final List<ColumnFamilyOptions> familyOptions = new ArrayList<>();
        private final TransactionDBOptions locking = own(new TransactionDBOptions());
        private final FlushOptions flush = own(new FlushOptions());
        private final WriteOptions logged = own(new WriteOptions());
        private final WriteOptions notLogged = own(new WriteOptions().setDisableWAL(true));
        private final ComparatorOptions shown;
        private final int kindOfDatabase;
        private final int threads;
        private final int steps;
        private final boolean skipsLog;
        /** By family, then by thread. */
        private final List<List<Model>> models = new ArrayList<>();
        private final List<ColumnFamilyHandle> handles = new ArrayList<>();
        private final Options tables;
        private final Set<String> said = ConcurrentHashMap.newKeySet();
        private @Nullable RocksDB db;
        private volatile boolean isDown;

        Subject(Path path, Kind kind, long seed) {
            this.path = path;
            random = new Random(seed);
            fault = new Fault(kind, random.nextBoolean());
            // What fails from the beginning on may be an order.
            fault.left.set(100 + (int) Math.exp(random.nextDouble() * Math.log(200_000)));
            shown = own(new ComparatorOptions().setUseDirectBuffer(random.nextBoolean()));
            kindOfDatabase = random.nextInt(5);
            threads = random.nextInt(3) == 0 ? 3 : 1;
            steps = 300 + random.nextInt(2500);
            skipsLog = random.nextInt(4) == 0;
            options = own(new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                    .setMaxBackgroundJobs(1 + random.nextInt(4)).setMaxSubcompactions(1 + random.nextInt(2))
                    .setAvoidFlushDuringRecovery(random.nextBoolean()).setMaxOpenFiles(random.nextBoolean() ? -1 : 100)
                    .setAtomicFlush(random.nextInt(4) == 0)
                    .setAllowConcurrentMemtableWrite(random.nextBoolean()));
            int count = 1 + random.nextInt(2);
            Failing order = own(new Failing(shown, fault));
            boolean isUniversal = random.nextInt(3) == 0;
            for (int i = 0; i < count; i++) {
                int choice = random.nextInt(3);
                ColumnFamilyOptions each = own(new ColumnFamilyOptions())
                        .setMergeOperator(own(new StringAppendOperator('+')))
                        .setWriteBufferSize(8192L << random.nextInt(4))
                        .setTargetFileSizeBase(8192L << random.nextInt(3))
                        .setMaxBytesForLevelBase(16384L << random.nextInt(3))
                        .setLevel0FileNumCompactionTrigger(2 + random.nextInt(4))
                        .setNumLevels(isUniversal ? 4 + random.nextInt(3) : 3 + random.nextInt(3))
                        .setDisableAutoCompactions(random.nextInt(6) == 0)
                        .setCompactionStyle(isUniversal ? CompactionStyle.UNIVERSAL : CompactionStyle.LEVEL);
                if (i == 0 || choice == 0) {
                    each.setComparator(order);
                } else {
                    each.setComparator(own(new Failing(shown, fault)));
                }
                familyOptions.add(each);
                families.add(new ColumnFamilyDescriptor(
                        i == 0 ? RocksDB.DEFAULT_COLUMN_FAMILY : ("family" + i).getBytes(UTF_8), each));
                List<Model> ofThreads = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    ofThreads.add(new Model());
                }
                models.add(ofThreads);
            }
            Fault never = new Fault(Kind.THROWS, fault.isReversed);
            never.isSound = true;
            tables = own(new Options().setComparator(own(new Failing(shown, never))));
        }

        private <T extends AbstractNativeReference> T own(T object) {
            owned.add(object);
            return object;
        }

        void open() throws RocksDBException {
            handles.clear();
            String at = path.toString();
            db = switch (kindOfDatabase) {
                case 1 -> TransactionDB.open(options, locking, at, families, handles);
                case 2 -> OptimisticTransactionDB.open(options, at, families, handles);
                case 3 -> TtlDB.open(options, at, families, handles, families.stream().map(_ -> 0).toList(), false);
                default -> RocksDB.open(options, at, families, handles);
            };
            isDown = false;
        }

        private RocksDB db() {
            return Objects.requireNonNull(db);
        }

        void use() throws Exception {
            fault.shelter();
            try {
                open();
            } finally {
                fault.leave();
            }
            int rounds = 1 + random.nextInt(3);
            for (int round = 0; round < rounds && db != null; round++) {
                List<Thread> running = new ArrayList<>();
                List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
                boolean isLast = round == rounds - 1;
                for (int t = 0; t < threads; t++) {
                    int number = t;
                    long seed = random.nextLong();
                    Thread thread = Thread.ofPlatform().name("own-" + t).unstarted(() -> {
                        try {
                            new User(this, number, new Random(seed)).run(steps / rounds, isLast);
                        } catch (Throwable e) {
                            thrown.add(e);
                        } finally {
                            OWN.remove(Thread.currentThread());
                        }
                    });
                    OWN.add(thread);
                    thread.start();
                    running.add(thread);
                }
                for (Thread thread : running) {
                    thread.join();
                }
                if (!thrown.isEmpty()) {
                    throw new AssertionError("A call has failed: " + thrown.getFirst(), thrown.getFirst());
                }
                reopen(isLast);
            }
            if (db != null) {
                db.close();
                db = null;
            }
        }

        /** As somebody does who does not know what is wrong. */
        private void reopen(boolean isLast) {
            db().close();
            db = null;
            boolean isTried = fault.begun && fault.kind.isSteady();
            if (!isTried && (isLast || (fault.begun && !ANYWHERE))) {
                return;
            }
            boolean isSheltered = fault.shelter();
            try {
                open();
            } catch (RocksDBException e) {
                if (!fault.begun && fault.kind != Kind.IS_GIVEN_A_BAD_KEY) {
                    throw new AssertionError("Cannot be opened again", e);
                }
                said.add(message(e));
                db = null;
            } finally {
                if (isSheltered) {
                    fault.leave();
                }
            }
        }

        /** With a comparator that works. */
        void verify() throws Exception {
            fault.isSound = true;
            open();
            compare("opened again");
            for (ColumnFamilyHandle handle : handles) {
                db().flush(flush, handle);
                db().compactRange(handle);
            }
            compare("compacted");
            db().close();
            open();
            compare("opened for the third time");
            db().close();
        }

        private void compare(String when) throws RocksDBException {
            for (int f = 0; f < families.size(); f++) {
                TreeMap<String, String> found = new TreeMap<>(fault.order());
                List<String> forth = new ArrayList<>();
                List<String> back = new ArrayList<>();
                try (RocksIterator iterator = db().newIterator(handles.get(f))) {
                    for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                        forth.add(new String(iterator.key(), UTF_8));
                        found.put(forth.getLast(), new String(iterator.value(), UTF_8));
                    }
                    iterator.status();
                    for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
                        back.add(new String(iterator.key(), UTF_8));
                    }
                    iterator.status();
                }
                require(forth.equals(new ArrayList<>(found.keySet())), when, "keys are in a wrong order");
                require(forth.equals(back.reversed()), when, "other keys backwards");
                for (int t = 0; t < threads; t++) {
                    Model model = models.get(f).get(t);
                    List<String> wrong = new ArrayList<>();
                    for (String key : model.values.keySet()) {
                        byte[] value = db().get(handles.get(f), key.getBytes(UTF_8));
                        String got = value == null ? NONE : new String(value, UTF_8);
                        require(got.equals(found.getOrDefault(key, NONE)), when,
                                "another value of " + key + " than an iterator has");
                        if (!model.allows(key, got)) {
                            wrong.add(key + " = " + got + ", not " + model.values.get(key));
                        }
                        found.remove(key);
                    }
                    require(wrong.isEmpty(), when, wrong.size() + " of " + model.values.size()
                            + " keys are lost or have another value: " + wrong.stream().limit(3).toList());
                }
                found.keySet().removeIf(key -> key.length() < 3);
                require(found.isEmpty(), when, "nobody has written " + found.keySet());
            }
        }

        private void require(boolean condition, String when, String otherwise) {
            if (!condition) {
                throw new AssertionError(when + ": " + otherwise);
            }
        }

        @Override
        public void close() {
            if (db != null) {
                db.close();
            }
            for (AbstractNativeReference each : owned.reversed()) {
                each.close();
            }
        }
    }

    private static String message(RocksDBException e) {
        return e.getMessage() == null
                ? e.toString()
                : e.getMessage().replaceAll("\\d+", "#").replaceAll("/\\S*", "PATH");
    }

    /** One thread, with keys of its own. */
    private static final class User {
        private final Subject subject;
        private final int number;
        private final Random random;
        private int family;
        private Model model;
        private int values;

        User(Subject subject, int number, Random random) {
            this.subject = subject;
            this.number = number;
            this.random = random;
            this.model = subject.models.getFirst().get(number);
        }

        private interface Call {
            void run() throws RocksDBException;
        }

        /** Whether it has returned. */
        private boolean call(Call call) {
            try {
                call.run();
                return true;
            } catch (RocksDBException e) {
                boolean isBad = subject.fault.begun || subject.fault.kind == Kind.IS_GIVEN_A_BAD_KEY;
                boolean isBusy = e.getStatus() != null && switch (e.getStatus().getCode()) {
                    case Busy, TimedOut, TryAgain, Expired -> true;
                    default -> false;
                };
                if (!isBad && !isBusy) {
                    throw new AssertionError("Refused although nothing is wrong", e);
                }
                subject.isDown |= !isBusy;
                subject.said.add(message(e));
                return false;
            }
        }

        private String key() {
            return key(random.nextInt(KEYS));
        }

        private String key(int i) {
            return "k" + number + "%04d".formatted(i);
        }

        private String value() {
            return "v" + values++ + "x".repeat(random.nextInt(random.nextInt(10) == 0 ? 600 : 60));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(UTF_8);
        }

        private ColumnFamilyHandle handle() {
            return subject.handles.get(family);
        }

        void run(int steps, boolean isLast) throws Exception {
            int afterwards = 60;
            for (int step = 0; step < steps && afterwards > 0; step++) {
                if (isLast && step == steps * 3 / 4) {
                    subject.fault.begin();
                }
                if (subject.isDown) {
                    afterwards--;
                }
                family = random.nextInt(subject.families.size());
                model = subject.models.get(family).get(number);
                step();
            }
        }

        private void step() throws IOException {
            RocksDB db = subject.db();
            WriteOptions write = subject.skipsLog && random.nextInt(3) == 0 ? subject.notLogged : subject.logged;
            int choice = random.nextInt(1000);
            if (choice < 500) {
                String key = key();
                change(key, value(), write, value -> db.put(handle(), write, bytes(key), bytes(value)));
            } else if (choice < 560) {
                String key = key();
                change(key, NONE, write, _ -> db.delete(handle(), write, bytes(key)));
            } else if (choice < 640) {
                merge(db, write);
            } else if (choice < 660) {
                deleteRange(db, write);
            } else if (choice < 760) {
                batch(db, write);
            } else if (choice < 860) {
                read(db);
            } else if (choice < 900) {
                iterate(db);
            } else if (choice < 920) {
                readMalformed(db);
            } else if (choice < 922) {
                if (subject.fault.kind == Kind.IS_GIVEN_A_BAD_KEY && subject.fault.begun) {
                    call(() -> db.put(handle(), bytes("k"), bytes("bad")));
                }
            } else if (choice < 940) {
                call(() -> db.flush(subject.flush, handle()));
            } else if (choice < 950) {
                compact(db);
            } else if (choice < 960) {
                compactFiles(db);
            } else if (choice < 964) {
                deleteFiles(db);
            } else if (choice < 970) {
                ingest(db);
            } else if (choice < 976) {
                changeLevel(db);
            } else if (choice < 982) {
                // Threads that set options while others flush can wait for ever in RocksDB 11.8.1.
                if (subject.threads > 1) {
                    return;
                }
                call(() -> db.setOptions(handle(), MutableColumnFamilyOptions.builder()
                        .setLevel0FileNumCompactionTrigger(2 + random.nextInt(4)).build()));
            } else if (choice < 985) {
                checkpoint(db);
            }
        }

        private interface Change {
            void apply(String value) throws RocksDBException;
        }

        private void change(String key, String value, WriteOptions write, Change change) {
            model.may(key, value);
            if (call(() -> change.apply(value)) && write.equals(subject.logged)) {
                model.is(key, value);
            }
        }

        private void merge(RocksDB db, WriteOptions write) {
            String key = key();
            Set<String> before = model.of(key);
            if (before.size() > 3 || model.anything.contains(key)) {
                return;
            }
            String value = value();
            Set<String> after = new HashSet<>();
            before.forEach(each -> after.add(each.equals(NONE) ? value : each + "+" + value));
            boolean isDone = call(() -> db.merge(handle(), write, bytes(key), bytes(value)));
            if (isDone && write.equals(subject.logged)) {
                before.clear();
            }
            before.addAll(after);
        }

        private void deleteRange(RocksDB db, WriteOptions write) {
            if (subject.kindOfDatabase == 1 || subject.kindOfDatabase == 2) {
                return;
            }
            int from = random.nextInt(KEYS);
            int to = Math.min(KEYS, from + 1 + random.nextInt(20));
            // The end does not belong to it.
            String first = subject.fault.isReversed ? key(to) : key(from);
            String last = subject.fault.isReversed ? key(from) : key(to);
            List<String> keys = new ArrayList<>();
            for (int i = from; i < to; i++) {
                keys.add(key(subject.fault.isReversed ? i + 1 : i));
            }
            keys.forEach(key -> model.may(key, NONE));
            if (call(() -> db.deleteRange(handle(), write, bytes(first), bytes(last)))
                    && write.equals(subject.logged)) {
                keys.forEach(key -> model.is(key, NONE));
            }
        }

        private void batch(RocksDB db, WriteOptions write) {
            Map<String, String> changes = new TreeMap<>();
            for (int i = 1 + random.nextInt(20); i > 0; i--) {
                changes.put(key(), random.nextInt(6) == 0 ? NONE : value());
            }
            changes.forEach((key, value) -> model.may(key, value));
            boolean isDone;
            if (db instanceof TransactionDB transactions && random.nextBoolean()) {
                isDone = call(() -> {
                    try (Transaction transaction = transactions.beginTransaction(write)) {
                        fill(transaction, changes);
                    }
                });
            } else if (db instanceof OptimisticTransactionDB transactions && random.nextBoolean()) {
                isDone = call(() -> {
                    try (Transaction transaction = transactions.beginTransaction(write)) {
                        fill(transaction, changes);
                    }
                });
            } else {
                isDone = call(() -> {
                    try (WriteBatch batch = new WriteBatch()) {
                        for (Map.Entry<String, String> each : changes.entrySet()) {
                            if (each.getValue().equals(NONE)) {
                                batch.delete(handle(), bytes(each.getKey()));
                            } else {
                                batch.put(handle(), bytes(each.getKey()), bytes(each.getValue()));
                            }
                        }
                        db.write(write, batch);
                    }
                });
            }
            if (isDone && write.equals(subject.logged)) {
                changes.forEach((key, value) -> model.is(key, value));
            }
        }

        private void fill(Transaction transaction, Map<String, String> changes) throws RocksDBException {
            for (Map.Entry<String, String> each : changes.entrySet()) {
                if (each.getValue().equals(NONE)) {
                    transaction.delete(handle(), bytes(each.getKey()));
                } else {
                    transaction.put(handle(), bytes(each.getKey()), bytes(each.getValue()));
                }
            }
            transaction.commit();
        }

        private void read(RocksDB db) {
            String key = key();
            call(() -> {
                byte[] value = db.get(handle(), bytes(key));
                String got = value == null ? NONE : new String(value, UTF_8);
                if (!subject.fault.begun && !model.allows(key, got) && !subject.fault.begun) {
                    throw new AssertionError(key + " is " + got + ", not " + model.values.get(key));
                }
            });
        }

        private void iterate(RocksDB db) {
            call(() -> {
                try (RocksIterator iterator = db.newIterator(handle())) {
                    if (random.nextBoolean()) {
                        iterator.seek(bytes(key()));
                    } else {
                        iterator.seekForPrev(bytes(key()));
                    }
                    for (int i = random.nextInt(100); i > 0 && iterator.isValid(); i--) {
                        if (random.nextInt(10) == 0) {
                            iterator.prev();
                        } else {
                            iterator.next();
                        }
                    }
                    iterator.status();
                }
            });
        }

        private void readMalformed(RocksDB db) {
            byte[] key = bytes("k1".substring(0, random.nextInt(3)));
            call(() -> {
                if (random.nextBoolean()) {
                    db.get(handle(), key);
                } else {
                    try (RocksIterator iterator = db.newIterator(handle())) {
                        iterator.seek(key);
                    }
                }
            });
        }

        private void compact(RocksDB db) {
            call(() -> {
                if (random.nextBoolean()) {
                    db.compactRange(handle());
                } else {
                    int from = random.nextInt(KEYS);
                    byte[] first = bytes(key(from));
                    byte[] last = bytes(key(from + random.nextInt(100)));
                    db.compactRange(handle(), subject.fault.isReversed ? last : first,
                            subject.fault.isReversed ? first : last);
                }
            });
        }

        private void compactFiles(RocksDB db) {
            if (subject.threads > 1) {
                return;
            }
            byte[] name = subject.families.get(family).getName();
            List<String> files = new ArrayList<>();
            int level = 0;
            for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
                if (Arrays.equals(file.columnFamilyName(), name)) {
                    files.add(file.fileName());
                    level = Math.max(level, file.level());
                }
            }
            int output = Math.max(1, level);
            if (!files.isEmpty()) {
                try (CompactionOptions compaction = new CompactionOptions()) {
                    db.compactFiles(compaction, handle(), files, output, -1, null);
                } catch (RocksDBException e) {
                    // Files may have gone meanwhile.
                    subject.isDown |= e.getStatus().getCode() == Status.Code.Aborted && e.getCause() != null;
                    subject.said.add(message(e));
                }
            }
        }

        private void deleteFiles(RocksDB db) {
            if (!subject.fault.shelter()) {
                return;
            }
            try {
                int from = random.nextInt(KEYS - 30);
                List<byte[]> range = List.of(bytes(key(subject.fault.isReversed ? from + 30 : from)),
                        bytes(key(subject.fault.isReversed ? from : from + 30)));
                for (int i = from; i <= from + 30; i++) {
                    model.may(key(i), NONE);
                    model.anything.add(key(i));
                }
                call(() -> db.deleteFilesInRanges(handle(), range, true));
            } finally {
                subject.fault.leave();
            }
        }

        private void ingest(RocksDB db) throws IOException {
            if ((subject.kindOfDatabase != 0 && subject.kindOfDatabase != 4) || !subject.fault.shelter()) {
                return;
            }
            Path file = subject.path.resolveSibling(subject.path.getFileName() + "-" + number + ".sst");
            try (EnvOptions env = new EnvOptions();
                    SstFileWriter writer = new SstFileWriter(env, subject.tables);
                    IngestExternalFileOptions ingest = new IngestExternalFileOptions()) {
                Map<String, String> changes = new TreeMap<>(subject.fault.order());
                for (int i = 1 + random.nextInt(50); i > 0; i--) {
                    changes.put(key(), value());
                }
                writer.open(file.toString());
                for (Map.Entry<String, String> each : changes.entrySet()) {
                    writer.put(bytes(each.getKey()), bytes(each.getValue()));
                }
                writer.finish();
                changes.forEach((key, value) -> model.may(key, value));
                if (call(() -> db.ingestExternalFile(handle(), List.of(file.toString()), ingest))) {
                    changes.forEach((key, value) -> model.is(key, value));
                }
            } catch (RocksDBException e) {
                throw new AssertionError("The file cannot be written", e);
            } finally {
                subject.fault.leave();
                Files.deleteIfExists(file);
            }
        }

        private void changeLevel(RocksDB db) {
            if (!subject.fault.shelter()) {
                return;
            }
            try (CompactRangeOptions compaction = new CompactRangeOptions().setChangeLevel(true)
                    .setTargetLevel(random.nextInt(2) == 0 ? -1 : 1 + random.nextInt(2))) {
                db.compactRange(handle(), null, null, compaction);
            } catch (RocksDBException e) {
                subject.said.add(message(e));
            } finally {
                subject.fault.leave();
            }
        }

        private void checkpoint(RocksDB db) {
            Path copy = subject.path.resolveSibling(
                    subject.path.getFileName() + "-copy" + number + "-" + random.nextInt(1 << 30));
            call(() -> {
                try (Checkpoint checkpoint = Checkpoint.create(db)) {
                    checkpoint.createCheckpoint(copy.toString());
                }
            });
        }
    }

    static void main(String[] arguments) throws Exception {
        LOG.setLevel(Level.OFF);
        OWN.add(Thread.currentThread());
        Path directory = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int databases = Integer.parseInt(arguments[2]);
        AtomicInteger current = new AtomicInteger();
        Thread.ofPlatform().daemon().start(() -> watch(current));
        int lost = 0;
        int down = 0;
        Map<String, Integer> said = new TreeMap<>();
        for (int i = 0; i < databases; i++) {
            Kind kind = Kind.values()[(int) Math.floorMod(seed + i, (long) Kind.values().length)];
            // Printed before, for the case that nothing is printed after.
            System.out.println(kind + ", seed " + (seed + i));
            Path path = directory.resolve("db" + i);
            try (Subject subject = new Subject(path, kind, seed + i)) {
                try {
                    subject.use();
                    subject.verify();
                } catch (AssertionError | RocksDBException e) {
                    if (!ANYWHERE) {
                        throw e;
                    }
                    lost++;
                    System.out.println("lost, " + kind + ", begun in " + subject.fault.begunIn + ": " + e.getMessage());
                }
                down += subject.said.isEmpty() ? 0 : 1;
                subject.said.forEach(each -> said.merge(each, 1, Integer::sum));
            }
            current.incrementAndGet();
        }
        if (Boolean.getBoolean("outcrop.failing.verbose")) {
            said.forEach((what, count) -> System.out.println(count + " × " + what));
        }
        System.out.println(down + " of " + databases + " have refused something" + (ANYWHERE ? ", lost " + lost : ""));
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
