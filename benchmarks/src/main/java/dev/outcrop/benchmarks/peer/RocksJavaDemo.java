package dev.outcrop.benchmarks.peer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.NullMarked;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * The phases of {@code ./outcrop demo} through {@code rocksdbjni}, in a JVM of its own: the counterpart of
 * {@code dev.outcrop.cli.demo.OutcropDemo}, which it follows step by step. It reads the same file of records, warms up
 * alike, draws the same random orders, times the same part of each operation and writes the same lines to standard
 * output ({@code dev.outcrop.cli.demo.Report} describes them).
 *
 * <p>Keys and values are direct {@link ByteBuffer}s, the fastest form that {@code rocksdbjni} offers for put, get and
 * scan: one JNI call without an array, one copy of the value. Every buffer is made before the clock starts.
 */
@NullMarked
public final class RocksJavaDemo implements AutoCloseable {
    private static final int WARM_UP_RECORDS = 2_000;
    private static final int WARM_UP_ROUNDS = 5;

    private record Item(ByteBuffer key, ByteBuffer value) {
    }

    /** A byte that was read is not the byte that was stored. */
    private static final class Difference extends RuntimeException {
        private static final long serialVersionUID = 1;

        Difference(String message) {
            super(message);
        }
    }

    private final List<Item> input;
    private final boolean silent;
    private final RocksDB db;
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions writeOptions = new WriteOptions();
    private final ByteBuffer keyBuffer;
    private final ByteBuffer valueBuffer;
    private final long[] latencies;
    private final int step;
    private long began;

    private RocksJavaDemo(Path database, String options, List<Item> input, boolean silent) throws RocksDBException {
        this.input = input;
        this.silent = silent;
        this.db = open(database, options);
        this.keyBuffer = ByteBuffer
                .allocateDirect(input.stream().mapToInt(item -> item.key.capacity()).max().orElse(0));
        this.valueBuffer = ByteBuffer
                .allocateDirect(input.stream().mapToInt(item -> item.value.capacity()).max().orElse(0));
        this.latencies = new long[input.size()];
        this.step = Math.max(1, input.size() / 100);
    }

    /**
     * Runs all phases and exits with 0, or with 1 after a line that says why not.
     *
     * @param args directory of the new database, file with the records, seed of the random orders, options
     */
    public static void main(String[] args) {
        endWithParent();
        int code = 1;
        try {
            RocksDB.loadLibrary();
            Path database = Path.of(args[0]);
            List<Item> input = read(Path.of(args[1]));
            long seed = Long.parseLong(args[2]);
            Path warmUpDatabase = database.resolveSibling(database.getFileName() + ".warm-up");
            List<Item> warmUpInput = input.subList(0, Math.min(WARM_UP_RECORDS, input.size()));
            try (RocksJavaDemo warmUp = new RocksJavaDemo(warmUpDatabase, args[3], warmUpInput, true)) {
                for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                    warmUp.allPhases(seed + i);
                }
            }
            try (RocksJavaDemo demo = new RocksJavaDemo(database, args[3], input, false)) {
                demo.allPhases(seed);
            }
            code = 0;
        } catch (Difference e) {
            System.out.println("differs " + e.getMessage());
        } catch (IOException | RocksDBException | RuntimeException | LinkageError e) {
            System.out.println("failed " + e.toString().replaceAll("\\s*\\R\\s*", " "));
        }
        System.exit(code);
    }

    /** However the parent ends, nothing may go on writing into a directory that the next run is about to delete. */
    private static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> Thread.ofPlatform().daemon().start(() -> {
            parent.onExit().join();
            Runtime.getRuntime().halt(1);
        }));
    }

    private void allPhases(long seed) throws RocksDBException {
        Random random = new Random(seed);
        store();
        read("read", shuffled(input.size(), random));
        read("read_again", shuffled(input.size(), random));
        scan();
    }

    private void store() throws RocksDBException {
        begin("store");
        for (int i = 0; i < input.size(); i++) {
            ByteBuffer key = input.get(i).key.clear();
            ByteBuffer value = input.get(i).value.clear();
            long start = System.nanoTime();
            db.put(writeOptions, key, value);
            latencies[i] = System.nanoTime() - start;
            at(i + 1);
        }
        try (FlushOptions flushOptions = new FlushOptions()) {
            long start = System.nanoTime();
            db.flush(flushOptions);
            done(System.nanoTime() - start);
        }
    }

    private void read(String phase, int[] order) throws RocksDBException {
        begin(phase);
        for (int i = 0; i < order.length; i++) {
            Item item = input.get(order[i]);
            ByteBuffer key = item.key.clear();
            ByteBuffer value = valueBuffer.clear();
            long start = System.nanoTime();
            int size = db.get(readOptions, key, value);
            latencies[i] = System.nanoTime() - start;
            if (size == RocksDB.NOT_FOUND) {
                throw new Difference(name(item) + " was stored and is not found");
            }
            check(item, size);
            at(i + 1);
        }
        done(0);
    }

    private void scan() throws RocksDBException {
        begin("scan");
        int count = 0;
        long start = System.nanoTime();
        try (RocksIterator iterator = db.newIterator(readOptions)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                int keySize = iterator.key(keyBuffer.clear());
                int valueSize = iterator.value(valueBuffer.clear());
                long readable = System.nanoTime();
                if (count == input.size()) {
                    throw new Difference("the scan found more than was stored");
                }
                latencies[count] = readable - start;
                Item item = input.get(count);
                if (mismatch(item.key, keyBuffer, keySize) >= 0) {
                    throw new Difference("the scan found another key where " + name(item) + " belongs");
                }
                check(item, valueSize);
                count++;
                at(count);
                start = System.nanoTime();
            }
            iterator.status();
        }
        if (count != input.size()) {
            throw new Difference("the scan ended after " + count + " of " + input.size() + " entries");
        }
        done(0);
    }

    private void check(Item item, int size) {
        long at = mismatch(item.value, valueBuffer, size);
        if (at >= 0) {
            throw new Difference("byte " + at + " of " + name(item) + " is not what was stored");
        }
    }

    private static long mismatch(ByteBuffer stored, ByteBuffer read, int size) {
        return MemorySegment.ofBuffer(stored.clear()).mismatch(MemorySegment.ofBuffer(read.clear()).asSlice(0, size));
    }

    private void begin(String phase) {
        say("phase " + phase + " " + input.size() + " " + bytes());
        began = System.nanoTime();
    }

    private void at(int records) {
        if (records % step == 0) {
            say("at " + records);
        }
    }

    private void done(long extra) {
        long elapsed = System.nanoTime() - began;
        long timed = extra;
        StringBuilder line = new StringBuilder("latencies");
        for (long nanos : latencies) {
            timed += nanos;
            line.append(' ').append(nanos);
        }
        say(line.toString());
        say("done " + timed + " " + elapsed);
    }

    private void say(String line) {
        if (!silent) {
            System.out.println(line);
        }
    }

    private long bytes() {
        return input.stream().mapToLong(item -> item.key.capacity() + item.value.capacity()).sum();
    }

    private static String name(Item item) {
        return StandardCharsets.UTF_8.decode(item.key.clear()).toString();
    }

    /** Opens a new database with options in RocksDB's own form, which the engine parses as it does for our side. */
    private static RocksDB open(Path database, String options) throws RocksDBException {
        Properties properties = new Properties();
        for (String option : options.split(";", -1)) {
            String[] nameAndValue = option.split("=", 2);
            properties.setProperty(nameAndValue[0], nameAndValue[1]);
        }
        // Each of the two parsers has to pass over the options that belong to the other.
        try (ConfigOptions config = new ConfigOptions().setIgnoreUnknownOptions(true);
                DBOptions dbOptions = DBOptions.getDBOptionsFromProps(config, properties);
                ColumnFamilyOptions tableOptions = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(config,
                        properties);
                Options all = new Options(dbOptions, tableOptions)) {
            return RocksDB.open(all, database.toString());
        }
    }

    private static List<Item> read(Path file) throws IOException {
        ByteBuffer all;
        try (FileChannel channel = FileChannel.open(file)) {
            all = ByteBuffer.allocateDirect(Math.toIntExact(channel.size()));
            while (all.hasRemaining() && channel.read(all) >= 0) {
                // A read may end early; the next one goes on where it ended.
            }
        }
        List<Item> items = new ArrayList<>();
        for (int at = 0; at < all.capacity();) {
            int keyLength = all.getInt(at);
            int valueLength = all.getInt(at + Integer.BYTES);
            int key = at + 2 * Integer.BYTES;
            items.add(new Item(all.slice(key, keyLength), all.slice(key + keyLength, valueLength)));
            at = key + keyLength + valueLength;
        }
        return List.copyOf(items);
    }

    private static int[] shuffled(int size, Random random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    @Override
    public void close() {
        readOptions.close();
        writeOptions.close();
        db.close();
    }
}
