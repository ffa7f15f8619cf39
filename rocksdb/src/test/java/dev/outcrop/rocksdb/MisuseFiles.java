package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Files that are what they should be: table files to be taken in, and traces of what the run does. Thread-safe. */
final class MisuseFiles {
    private static final int LATEST = 8;
    private static final int BACKUPS = 3;
    /** Their names have one digit, so that their order is that of the numbers. */
    private static final int KEYS = 10;

    private final Path directory;
    private final MisuseDatabases databases;
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable Path> latest = new AtomicReferenceArray<>(LATEST);
    private final AtomicReference<@Nullable Trace> running = new AtomicReference<>();

    /** What is being recorded. */
    private record Trace(Tracing tracing, Path file) {
    }

    MisuseFiles(Path directory, MisuseDatabases databases) {
        this.directory = directory;
        this.databases = databases;
    }

    /** Where there is nothing yet. */
    Path fresh() {
        return directory.resolve("fresh" + names.getAndIncrement());
    }

    /** One of few directories, in which there are backups before long. */
    Path backups(Random random) {
        return directory.resolve("backups" + random.nextInt(BACKUPS));
    }

    Path any(Random random) {
        Path file = latest.get(random.nextInt(LATEST));
        return file == null ? directory : file;
    }

    /** Files for a method that takes several: those that its object has, or one that it may take in. */
    List<Path> severalFor(@Nullable Object target, Random random) {
        try {
            if (random.nextBoolean()) {
                return target instanceof ColumnFamily family
                        ? files(family.metadata())
                        : target instanceof RocksDB db ? files(db.metadata()) : List.of();
            }
        } catch (IllegalStateException | RocksDBException e) {
            // It is closed.
        }
        return List.of(any(random));
    }

    private static List<Path> files(ColumnFamilyMetadata metadata) {
        return metadata.levels().stream().flatMap(level -> level.files().stream()).map(SstFileMetadata::path).toList();
    }

    /** Makes another one. */
    void makeOne(Random random) {
        try {
            if (random.nextBoolean()) {
                recordAnother(random);
            } else {
                writeTable(random);
            }
        } catch (IllegalStateException | RocksDBException e) {
            // The database is closed, or somebody else has ended the trace or taken the directory away.
        }
    }

    private void recordAnother(Random random) {
        Trace next = new Trace(databases.any(random).tracing(), fresh());
        Trace last = running.getAndSet(next);
        if (last != null) {
            latest.set(random.nextInt(LATEST), last.file);
        }
        try {
            if (last != null) {
                last.tracing.end();
            }
        } finally {
            next.tracing.start(next.file, new TraceOptions());
        }
    }

    private void writeTable(Random random) {
        Path file = fresh();
        boolean isTimed = random.nextInt(4) == 0;
        Options options = isTimed ? MisuseDatabases.timed(new Options()) : new Options();
        try (SstFileWriter writer = new SstFileWriter(file, options)) {
            for (int i = random.nextInt(KEYS); i < KEYS; i++) {
                byte[] key = MisuseSegments.key(i);
                if (isTimed) {
                    writer.put(Bytes.inNative(key), Bytes.inNative(new byte[Long.BYTES]), Bytes.inNative(key));
                    continue;
                }
                switch (random.nextInt(5)) {
                    case 0 -> writer.delete(key);
                    case 1 -> writer.merge(key, key);
                    case 2 -> writer.deleteRange(key, MisuseSegments.key(KEYS - 1));
                    default -> writer.put(key, key);
                }
            }
            writer.finish();
        }
        latest.set(random.nextInt(LATEST), file);
    }
}
