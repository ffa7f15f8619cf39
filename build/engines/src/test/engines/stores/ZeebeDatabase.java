import io.camunda.zeebe.db.AccessMetricsConfiguration;
import io.camunda.zeebe.db.ColumnFamily;
import io.camunda.zeebe.db.ConsistencyChecksSettings;
import io.camunda.zeebe.db.TransactionContext;
import io.camunda.zeebe.db.ZeebeDb;
import io.camunda.zeebe.db.impl.DbLong;
import io.camunda.zeebe.db.impl.DbString;
import io.camunda.zeebe.db.impl.rocksdb.RocksDbConfiguration;
import io.camunda.zeebe.db.impl.rocksdb.ZeebeRocksDbFactory;
import io.camunda.zeebe.protocol.ColumnFamilyScope;
import io.camunda.zeebe.protocol.EnumValue;
import io.camunda.zeebe.protocol.ScopedColumnFamily;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;

/** Zeebe's database, with transactions, rollbacks and snapshots. */
final class ZeebeDatabase {

    enum Families implements EnumValue, ScopedColumnFamily {
        DEFAULT, JOBS, TIMERS;

        @Override
        public int getValue() {
            return ordinal();
        }

        @Override
        public ColumnFamilyScope partitionScope() {
            return ColumnFamilyScope.PARTITION_LOCAL;
        }
    }

    private ZeebeDatabase() {
    }

    static void run(Path directory) throws Exception {
        Path snapshot = directory.resolveSibling(directory.getFileName() + "-snapshot");
        var factory = new ZeebeRocksDbFactory<Families>(new RocksDbConfiguration(),
                new ConsistencyChecksSettings(true, true),
                new AccessMetricsConfiguration(AccessMetricsConfiguration.Kind.NONE, 1), SimpleMeterRegistry::new);
        if (!Files.exists(directory)) {
            try (ZeebeDb<Families> db = factory.createDb(directory.toFile())) {
                fill(db);
                tell("filled", db);
                db.createSnapshot(snapshot.toFile());
            }
        }
        try (ZeebeDb<Families> db = factory.createDb(directory.toFile())) {
            tell("reopened", db);
        }
        try (ZeebeDb<Families> db = factory.createDb(snapshot.toFile())) {
            tell("snapshot", db);
        }
    }

    private static ColumnFamily<DbLong, DbString> family(ZeebeDb<Families> db, Families which, TransactionContext in,
            DbLong key, DbString value) {
        return db.createColumnFamily(which, in, key, value);
    }

    private static void fill(ZeebeDb<Families> db) throws Exception {
        TransactionContext context = db.createContext();
        DbLong key = new DbLong();
        DbString value = new DbString();
        var jobs = family(db, Families.JOBS, context, key, value);
        var timers = family(db, Families.TIMERS, context, key, value);
        for (long i = 0; i < 3000; i++) {
            long number = i;
            context.runInTransaction(() -> {
                key.wrapLong(number * 31 % 1009);
                value.wrapString("job " + number);
                jobs.upsert(key, value);
                key.wrapLong(number);
                value.wrapString("timer " + number);
                timers.insert(key, value);
                if (number % 3 == 0) {
                    timers.deleteExisting(key);
                }
                // Sees what the transaction has not written yet.
                if (timers.exists(key) == (number % 3 == 0)) {
                    throw new IllegalStateException("timer " + number);
                }
            });
        }
        var transaction = context.getCurrentTransaction();
        transaction.run(() -> {
            key.wrapLong(5_000);
            value.wrapString("rolled back");
            jobs.insert(key, value);
        });
        transaction.rollback();
        try {
            context.runInTransaction(() -> {
                key.wrapLong(1);
                timers.insert(key, value);
            });
        } catch (RuntimeException e) {
            StoresProgram.tell("refused: " + e.getClass().getSimpleName());
        }
    }

    private static void tell(String what, ZeebeDb<Families> db) {
        TransactionContext context = db.createContext();
        DbLong key = new DbLong();
        DbString value = new DbString();
        for (Families which : new Families[]{Families.JOBS, Families.TIMERS}) {
            StringBuilder all = new StringBuilder();
            var family = family(db, which, context, key, value);
            family.forEach((k, v) -> all.append(k.getValue()).append('=').append(v).append(';'));
            StoresProgram.tell(what + " " + which + " " + family.count() + " " + all.toString().hashCode());
        }
        StoresProgram.tell(what + " keys " + db.getProperty("rocksdb.num-snapshots").orElse("none"));
    }
}
