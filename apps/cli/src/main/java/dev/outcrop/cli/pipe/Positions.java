package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the inputs were taken. The positions of the stored entries are in their own column family, and are written in the same batch as
 * the entries. Chunks that wait in the queue have later positions. The database also knows its queue: entries that wait in another queue
 * would be taken twice.
 */
final class Positions {
    static final String FAMILY = "outcrop.pipe";
    /** No input has this key: the keys of inputs have a NUL. */
    private static final byte[] QUEUE = utf8("queue");
    private static final String FILE = "queue";

    private final ColumnFamily family;
    private final Map<String, Position> waiting = new HashMap<>();
    private long waitingEntries;

    Positions(RocksDB db) {
        ColumnFamily there = db.findColumnFamily(FAMILY);
        this.family = there != null ? there : db.createColumnFamily(FAMILY, new Options());
    }

    /** Tells whether there is a queue in a directory. */
    static boolean isQueue(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    // --- The queue ---

    /** Returns the directory of the queue from which the database was filled before; null if there was none. */
    @Nullable
    Path knownQueue() {
        byte[] known = family.get(QUEUE);
        return known == null ? null : Path.of(new String(known, StandardCharsets.UTF_8).split(" ", 2)[1]);
    }

    /** Refuses a queue while another queue exists that was used before. */
    void requireQueue(Path directory) throws IOException {
        Path known = knownQueue();
        if (known != null && isQueue(known) && !(Files.exists(directory) && Files.isSameFile(known, directory))) {
            throw new Failure("this database is filled from the queue " + known
                    + ", which may hold records that it does not have yet; name that with --queue, or leave --queue out");
        }
    }

    /** Remembers the queue. Returns whether it replaces another queue, which was deleted. */
    boolean remember(Queue queue) {
        byte[] known = family.get(QUEUE);
        byte[] now = utf8(Long.toHexString(queue.id()) + " " + queue.directory().toAbsolutePath().normalize());
        family.with(new WriteOptions().sync(true)).put(QUEUE, now);
        return known != null && !new String(known, StandardCharsets.UTF_8)
                .startsWith(Long.toHexString(queue.id()) + " ");
    }

    // --- Inputs ---

    /** Reads the chunks that wait in the queue, from an offset on. The database must not change meanwhile. */
    void readWaiting(Queue queue, long from) {
        try (Tailer tailer = Tailer.open(queue.directory())) {
            tailer.seek(from);
            while (tailer.poll()) {
                Chunk chunk = Chunk.read(tailer.segment());
                waiting.put(name(chunk.family(), chunk.source()), chunk.position());
                waitingEntries += chunk.entries();
            }
        }
    }

    /** Returns the number of entries in the waiting chunks. */
    long waitingEntries() {
        return waitingEntries;
    }

    /** Returns how far an input had been taken for a column family when this object was created. */
    Position of(String columnFamily, String source) {
        Position there = waiting.get(name(columnFamily, source));
        if (there != null) {
            return there;
        }
        byte[] known = family.get(key(columnFamily, source));
        return known == null ? Position.START : Position.parse(known);
    }

    /** Returns the column family of the positions. */
    ColumnFamily family() {
        return family;
    }

    /** Returns the key of a position. A source has no NUL, so the key is unambiguous. */
    static byte[] key(String columnFamily, String source) {
        return utf8(name(columnFamily, source));
    }

    private static String name(String columnFamily, String source) {
        return columnFamily + '\0' + source;
    }

    private static byte[] utf8(String text) {
        return ColumnFamily.bytesOf(text);
    }
}
