package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Well-formed files: tables to ingest, traces of the run, backups and exports. Thread-safe. */
final class MisuseFiles {
    private static final int LATEST = 8;
    private static final int BACKUPS = 6;
    /** Their names have one digit, so that their order is that of the numbers. */
    private static final int KEYS = 10;

    private final Path directory;
    private final MisuseDatabases databases;
    private final MisuseObjects objects;
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable Path> tables = new AtomicReferenceArray<>(LATEST);
    private final AtomicReferenceArray<@Nullable Path> traces = new AtomicReferenceArray<>(LATEST);
    private final AtomicReference<@Nullable Trace> running = new AtomicReference<>();

    /** The recording that runs. */
    private record Trace(Tracing tracing, Path file) {
    }

    MisuseFiles(Path directory, MisuseDatabases databases, MisuseObjects objects) {
        this.directory = directory;
        this.databases = databases;
        this.objects = objects;
    }

    /** A path at which nothing exists yet. */
    Path fresh() {
        return directory.resolve("fresh" + names.getAndIncrement());
    }

    /** One of few directories, in which there are backups before long. */
    Path backups(Random random) {
        return directory.resolve("backups" + random.nextInt(BACKUPS));
    }

    Path table(Random random) {
        Path table = tables.get(random.nextInt(LATEST));
        return table == null ? directory : table;
    }

    Path trace(Random random) {
        Path trace = traces.get(random.nextInt(LATEST));
        return trace == null ? directory : trace;
    }

    /** Files for a method that takes several: those that its object has, or one that it may take in. */
    List<Path> severalFor(@Nullable Object target, Random random) {
        try {
            if (random.nextBoolean()) {
                return target instanceof ColumnFamily family
                        ? files(family.metadata())
                        : target instanceof RocksDB db ? files(db.metadata()) : List.of();
            }
        } catch (IllegalStateException | RocksDBException | MisuseCallbacks.Provoked e) {
            // It is closed, or a callback has thrown.
        }
        return List.of(table(random));
    }

    private static List<Path> files(ColumnFamilyMetadata metadata) {
        return metadata.levels().stream().flatMap(level -> level.files().stream()).map(SstFileMetadata::path).toList();
    }

    /** Makes another one; what takes long, less often. */
    void makeOne(Random random) {
        try {
            switch (random.nextInt(10)) {
                case 0 -> backUp(random);
                case 1 -> objects.show(databases.any(random).defaultColumnFamily().export(fresh()), random);
                default -> {
                    if (random.nextBoolean()) {
                        recordAnother(random);
                    } else {
                        writeTable(random);
                    }
                }
            }
        } catch (IllegalStateException | RocksDBException | MisuseCallbacks.Provoked e) {
            // The database is closed or cannot do that, a callback has thrown, or somebody else has ended the trace or taken a file away.
        }
    }

    private void backUp(Random random) {
        try (BackupEngine engine = BackupEngine.open(new BackupEngineOptions(backups(random)))) {
            engine.create(databases.any(random));
        }
    }

    private void recordAnother(Random random) {
        Trace next = new Trace(databases.any(random).tracing(), fresh());
        Trace last = running.getAndSet(next);
        if (last != null) {
            traces.set(random.nextInt(LATEST), last.file);
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
        tables.set(random.nextInt(LATEST), file);
    }
}
