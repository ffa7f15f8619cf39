package dev.outcrop.rocksdbjni;

import static dev.outcrop.rocksdbjni.FailingUser.KEYS;
import static dev.outcrop.rocksdbjni.FailingUser.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;

/** The calls of a {@link FailingUser} that change the files, or which of them belong to the database. */
final class FailingFiles {
    private final FailingUser user;
    private final FailingDatabase database;
    private final Random random;

    FailingFiles(FailingUser user, FailingDatabase database, Random random) {
        this.user = user;
        this.database = database;
        this.random = random;
    }

    void compact(RocksDB db) {
        user.call(() -> {
            if (random.nextBoolean()) {
                db.compactRange(user.handle());
            } else {
                int from = random.nextInt(KEYS);
                byte[] first = bytes(user.key(from));
                byte[] last = bytes(user.key(from + random.nextInt(100)));
                db.compactRange(user.handle(), database.fault.isReversed ? last : first,
                        database.fault.isReversed ? first : last);
            }
        });
    }

    void compactFiles(RocksDB db) {
        if (database.threads > 1) {
            return;
        }
        byte[] name = user.familyName();
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
                db.compactFiles(compaction, user.handle(), files, output, -1, null);
            } catch (RocksDBException e) {
                // Files may have gone meanwhile.
                if (e.getStatus().getCode() == Status.Code.Aborted && e.getCause() != null) {
                    database.refuse(e);
                } else {
                    database.say(e);
                }
            }
        }
    }

    void deleteFiles(RocksDB db) {
        if (!database.fault.shelter()) {
            return;
        }
        try {
            int from = random.nextInt(KEYS - 30);
            List<byte[]> range = List.of(bytes(user.key(database.fault.isReversed ? from + 30 : from)),
                    bytes(user.key(database.fault.isReversed ? from : from + 30)));
            for (int i = from; i <= from + 30; i++) {
                user.model().mayBeAnything(user.key(i));
            }
            user.call(() -> db.deleteFilesInRanges(user.handle(), range, true));
        } finally {
            database.fault.leave();
        }
    }

    void ingest(RocksDB db) throws IOException {
        if ((database.kindOfDatabase != 0 && database.kindOfDatabase != 4) || !database.fault.shelter()) {
            return;
        }
        Path file = database.path.resolveSibling(database.path.getFileName() + "-" + user.number + ".sst");
        try (EnvOptions env = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(env, database.tables);
                IngestExternalFileOptions ingest = new IngestExternalFileOptions()) {
            Map<String, String> changes = new TreeMap<>(database.fault.order());
            for (int i = 1 + random.nextInt(50); i > 0; i--) {
                changes.put(user.key(), user.value());
            }
            writer.open(file.toString());
            for (Map.Entry<String, String> each : changes.entrySet()) {
                writer.put(bytes(each.getKey()), bytes(each.getValue()));
            }
            writer.finish();
            changes.forEach((key, value) -> user.model().may(key, value));
            if (user.call(() -> db.ingestExternalFile(user.handle(), List.of(file.toString()), ingest))) {
                changes.forEach((key, value) -> user.model().is(key, value));
            }
        } catch (RocksDBException e) {
            throw new AssertionError("The file cannot be written", e);
        } finally {
            database.fault.leave();
            Files.deleteIfExists(file);
        }
    }

    void changeLevel(RocksDB db) {
        if (!database.fault.shelter()) {
            return;
        }
        try (CompactRangeOptions compaction = new CompactRangeOptions().setChangeLevel(true)
                .setTargetLevel(random.nextInt(2) == 0 ? -1 : 1 + random.nextInt(2))) {
            db.compactRange(user.handle(), null, null, compaction);
        } catch (RocksDBException e) {
            if (database.fault.hasBegun() && e.getCause() != null) {
                database.refuse(e);
            } else {
                database.say(e);
            }
        } finally {
            database.fault.leave();
        }
    }

    void checkpoint(RocksDB db) {
        Path copy = database.path.resolveSibling(
                database.path.getFileName() + "-copy" + user.number + "-" + random.nextInt(1 << 30));
        user.call(() -> {
            try (Checkpoint checkpoint = Checkpoint.create(db)) {
                checkpoint.createCheckpoint(copy.toString());
            }
        });
    }
}
