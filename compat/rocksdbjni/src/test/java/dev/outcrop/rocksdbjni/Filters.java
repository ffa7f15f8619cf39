package dev.outcrop.rocksdbjni;

import java.util.Map;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;

/** Filters that let everything pass. */
final class Filters {

    private Filters() {
    }

    /** Drops entries without values. */
    static final class Factory extends AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter> {
        @Override
        public RemoveEmptyValueCompactionFilter createCompactionFilter(AbstractCompactionFilter.Context context) {
            return new RemoveEmptyValueCompactionFilter();
        }

        @Override
        public String name() {
            return "factory";
        }
    }

    /** Lets all records of a log through. */
    static final class OfLog extends AbstractWalFilter {
        @Override
        public void columnFamilyLogNumberMap(Map<Integer, Long> logs, Map<String, Integer> ids) {
            // They do not matter.
        }

        @Override
        public LogRecordFoundResult logRecordFound(long number, String file, WriteBatch batch, WriteBatch changed) {
            return LogRecordFoundResult.CONTINUE_UNCHANGED;
        }

        @Override
        public String name() {
            return "log";
        }
    }

    /** Reads all table files. */
    static final class OfTables extends AbstractTableFilter {
        @Override
        public boolean filter(TableProperties properties) {
            return true;
        }
    }
}
