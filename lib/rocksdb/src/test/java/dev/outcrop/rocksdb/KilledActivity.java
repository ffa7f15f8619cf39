package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The work of a program that is killed, see {@link KilledActivityTest}: numbered steps, each of which is acknowledged by a line when
 * it is done. It does all of them at the same time, each in a directory of its own. Arguments: the directory of these, the number of the
 * first step.
 */
enum KilledActivity {
    /** One write after the other. */
    PUTS {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options())) {
                for (int i = first;; i++) {
                    db.with(new WriteOptions().sync(true)).put(key(i), value(i));
                    acknowledge(i);
                }
            }
        }
    },
    /** Batches over two column families. */
    BATCHES {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options(), FAMILIES)) {
                for (int i = first;; i++) {
                    WriteBatch batch = new WriteBatch();
                    batch.put(key(i), value(i));
                    batch.in(family(db, "a")).put(key(i), value(i));
                    batch.in(family(db, "b")).put(key(i), value(i));
                    db.with(new WriteOptions().sync(true)).write(batch);
                    acknowledge(i);
                }
            }
        }
    },
    /** Indexed batches over two column families. */
    INDEXED_BATCHES {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options(), FAMILIES)) {
                for (int i = first;; i++) {
                    try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
                        batch.put(key(i), value(i));
                        batch.in(family(db, "a")).put(key(i), value(i));
                        batch.in(family(db, "b")).put(key(i), value(i));
                        db.with(new WriteOptions().sync(true)).write(batch);
                    }
                    acknowledge(i);
                }
            }
        }
    },
    /** Transactions over two column families, in one phase. */
    TRANSACTIONS {
        @Override
        void run(Path directory, int first) {
            try (TransactionDB db = TransactionDB.open(directory, options(), new TransactionDBOptions(), FAMILIES)) {
                for (int i = first;; i++) {
                    try (Transaction transaction = begin(db)) {
                        putEverywhere(db, transaction, i);
                        transaction.commit();
                    }
                    acknowledge(i);
                }
            }
        }
    },
    /** Transactions in two phases: three steps each, of which the last commits or, for each third one, rolls back. */
    TWO_PHASES {
        @Override
        void run(Path directory, int first) {
            try (TransactionDB db = TransactionDB.open(directory, options(), new TransactionDBOptions(), FAMILIES)) {
                for (int i = first;; i++) {
                    try (Transaction transaction = begin(db)) {
                        transaction.setName("t" + i);
                        putEverywhere(db, transaction, i);
                        transaction.prepare();
                        acknowledge(i);
                        if (isRolledBack(i)) {
                            transaction.rollback();
                        } else {
                            transaction.commit();
                        }
                        say("ended " + i);
                    }
                }
            }
        }
    },
    /** A column family is created and written, and each third one dropped again. */
    FAMILIES_COME_AND_GO {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options())) {
                for (int i = first;; i++) {
                    ColumnFamily family = db.createColumnFamily("f" + i, options());
                    family.with(new WriteOptions().sync(true)).put(key(i), value(i));
                    acknowledge(i);
                    if (isRolledBack(i)) {
                        db.dropColumnFamily(family);
                        say("ended " + i);
                    }
                }
            }
        }
    },
    /** Table files with some entries each are ingested. */
    INGESTS {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options())) {
                for (int i = first;; i++) {
                    Path file = directory.resolveSibling("ingested" + i);
                    try (SstFileWriter writer = new SstFileWriter(file, options())) {
                        for (int part = 0; part < PARTS; part++) {
                            writer.put(part(i, part), value(i));
                        }
                        writer.finish();
                    }
                    db.ingest(List.of(file), new IngestExternalFileOptions().moveFiles(true));
                    acknowledge(i);
                }
            }
        }
    },
    /** A checkpoint after each write. */
    CHECKPOINTS {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options())) {
                for (int i = first;; i++) {
                    db.with(new WriteOptions().sync(true)).put(key(i), value(i));
                    db.checkpoint(directory.resolveSibling("checkpoint" + i), i % 2 == 0 ? 0 : Long.MAX_VALUE);
                    acknowledge(i);
                }
            }
        }
    },
    /** A backup after each write. The backup's own number follows the step's. */
    BACKUPS {
        @Override
        void run(Path directory, int first) {
            try (RocksDB db = RocksDB.open(directory, options());
                    BackupEngine backups = BackupEngine
                            .open(new BackupEngineOptions(directory.resolveSibling("backups")))) {
                for (int i = first;; i++) {
                    db.with(new WriteOptions().sync(true)).put(key(i), value(i));
                    int id = backups.create(db, new CreateBackupOptions().flushBeforeBackup(i % 2 == 0), "step " + i);
                    say(i + " " + id);
                }
            }
        }
    };

    static final String FAILED = "failed: ";
    static final int PARTS = 20;
    static final Map<String, Options> FAMILIES = Map.of("a", options(), "b", options());

    /** Does the steps from a number on, until the process is killed. */
    abstract void run(Path directory, int first);

    /** Its database, beside which it has other files. */
    Path in(Path directory) {
        return directory.resolve(name()).resolve("db");
    }

    static Options options() {
        // Small, so that the kill may also hit a flush or a compaction.
        return new Options().createIfMissing(true).createMissingColumnFamilies(true).writeBufferSize(64 << 10)
                .level0FileNumCompactionTrigger(2);
    }

    static byte[] key(int i) {
        return Bytes.of(String.format("key%07d", i));
    }

    static byte[] part(int i, int part) {
        return Bytes.of(String.format("key%07d-%03d", i, part));
    }

    static byte[] value(int i) {
        return Bytes.random(i, 300 + i % 1000);
    }

    static boolean isRolledBack(int i) {
        return i % 3 == 0;
    }

    static ColumnFamily family(RocksDB db, String name) {
        return db.columnFamily(name);
    }

    private static Transaction begin(TransactionDB db) {
        return db.begin(new WriteOptions().sync(true), new TransactionOptions());
    }

    private static void putEverywhere(RocksDB db, Transaction transaction, int i) {
        transaction.put(key(i), value(i));
        transaction.in(family(db, "a")).put(key(i), value(i));
        transaction.in(family(db, "b")).put(key(i), value(i));
    }

    void acknowledge(int i) {
        say(Integer.toString(i));
    }

    void say(String line) {
        System.out.println(name() + " " + line);
        System.out.flush();
    }

    /** The program. */
    static final class Program {
        private Program() {
        }

        static void main(String[] arguments) {
            for (KilledActivity activity : values()) {
                Thread.ofPlatform().start(() -> {
                    try {
                        activity.run(activity.in(Path.of(arguments[0])), Integer.parseInt(arguments[1]));
                    } catch (Throwable e) {
                        activity.say(FAILED + e);
                    }
                });
            }
        }
    }
}
