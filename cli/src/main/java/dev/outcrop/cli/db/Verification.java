package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;

/** Reads everything that a database has. */
final class Verification {
    private Verification() {
    }

    /**
     * Goes through all entries, then checks the checksums of all blocks, until it is interrupted.
     *
     * @return how many entries were seen
     * @throws RocksDBException if something is damaged
     */
    static long run(RocksDB db, Interruption interruption) {
        long count = 0;
        for (ColumnFamily family : db.columnFamilies()) {
            try (Progress progress = Progress.of("verify " + FamilyOption.shown(family.name()), "entries",
                    Entries.estimate(family))) {
                count += Entries.each(family, KeyRange.all(), progress, () -> !interruption.isRequested(),
                        (_, _) -> true);
            }
        }
        if (!interruption.isRequested()) {
            // Also blocks without entries, such as filters and indexes. It only reads, and cannot be ended early.
            interruption.mayAbandon();
            db.verifyChecksum();
            interruption.mustWait();
        }
        return count;
    }
}
