package dev.outcrop.rocksdb;

import static dev.outcrop.rocksdb.NestedWorld.KEY;
import static dev.outcrop.rocksdb.NestedWorld.VALUE;
import static dev.outcrop.rocksdb.NestedWorld.expect;

import dev.outcrop.memory.Upcall;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The calls that open, back up or copy a database, to be made from inside callbacks. */
final class NestedOpenings {
    private NestedOpenings() {
    }

    static void add(NestedCall.All all) {
        openings(all);
        backups(all);
    }

    /** Closes a database, later if that cannot be done now. */
    private static void close(NestedWorld world, RocksDB db) {
        if (Upcall.isRunning()) {
            world.later(db);
        } else {
            db.close();
        }
    }

    private static void shortenLog(NestedWorld world) {
        if (!world.isQuick()) {
            world.db().flush(List.of(world.db().defaultColumnFamily(), world.other()), new FlushOptions());
            world.writer().put(KEY, VALUE);
        }
    }

    /** Opens what another one has open, which may drop a family or delete a log at that moment. */
    private static void openMeanwhile(NestedWorld world, Supplier<RocksDB> open) {
        try {
            close(world, open.get());
        } catch (RocksDBException e) {
            expect(e.status().code() != Status.Code.CORRUPTION, e.toString());
        }
    }

    private static void openings(NestedCall.All all) {
        all.add("open and close another one", world -> {
            Path path = world.newPath();
            return () -> close(world, world.open(path));
        });
        all.add("open one with a log", world -> {
            Path path = world.newPath();
            if (world.isQuick()) {
                return () -> close(world, world.open(path));
            }
            try (RocksDB db = world.open(path)) {
                (world.kind.hasTimestamps() ? db.at(1) : db).put(KEY, VALUE);
                (world.kind.hasTimestamps() ? db.at(1) : db).put(Bytes.of("r6"), VALUE);
            }
            return () -> close(world, world.open(path));
        });
        all.plain("open the same one", world -> {
            try {
                close(world, world.open(world.db().path()));
                // The logger receives a message about the released lock.
                expect(world.isClosed(), "it was closed");
            } catch (RocksDBException e) {
                // As it must.
            }
        });
        all.add("open it read-only", world -> {
            shortenLog(world);
            return () -> openMeanwhile(world, () -> RocksDB
                    .openReadOnly(world.db().path(), world.options(), Map.of("other", world.options())));
        });
        all.add("open it as a secondary", world -> {
            Path path = world.newPath();
            shortenLog(world);
            return () -> openMeanwhile(world, () -> RocksDB
                    .openSecondary(world.db().path(), path, world.options(), Map.of("other", world.options())));
        });
        all.plain("list families",
                world -> expect(RocksDB.listColumnFamilies(world.db().path()).size() >= 2, "there are two"));
        all.add("close", world -> {
            NestedCall.fill(world);
            return () -> {
                if (Upcall.isRunning()) {
                    // See "close the database".
                    return;
                }
                world.db().close();
            };
        });
    }

    private static void backups(NestedCall.All all) {
        all.add("backup", world -> {
            NestedCall.fill(world);
            return () -> world.engine.create(world.db(), world.backupOptions());
        });
        all.plain("backup infos", world -> expect(!world.engine.infos().isEmpty(), "there are backups"));
        all.plain("backup verify", world -> world.engine.verify(world.engine.infos().getFirst().id()));
        all.add("backup restore", world -> {
            Path path = world.newPath();
            return () -> world.engine.restoreLatest(path, new RestoreOptions());
        });
        all.plain("backup purge", world -> world.engine.purge(1));
        all.add("backup engine close", world -> world
                .later(BackupEngine.open(new BackupEngineOptions(world.newPath())))::close);
    }
}
