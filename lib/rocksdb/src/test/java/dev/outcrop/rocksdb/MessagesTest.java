package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages say what failed, with which value, and what to do. */
class MessagesTest extends DatabaseTest {
    @Override
    RocksDB open() {
        return RocksDB.open(directory.resolve("db"), create().createMissingColumnFamilies(true),
                Map.of("users", new Options().set("comparator=rocksdb.ReverseBytewiseComparator")));
    }

    @Test
    void aBackupThatIsNotThereIsNotAnUnsoundOne() {
        Path backups = directory.resolve("backups");
        RestoreOptions restoring = new RestoreOptions();
        RocksDB db = closeLater(open());
        BackupEngine engine = closeLater(BackupEngine.open(new BackupEngineOptions(backups)));
        assertThatThrownBy(() -> engine.verify(99)).isInstanceOf(RocksDBException.class)
                .hasMessage("There is no backup 99 in " + backups + "; there is none at all");
        engine.create(db);
        engine.create(db);
        assertThatThrownBy(() -> engine.verify(99)).isInstanceOf(RocksDBException.class)
                .hasMessage("There is no backup 99 in " + backups + "; there are: 1, 2");
        assertThatThrownBy(() -> engine.verifyChecksums(3)).hasMessageContaining("There is no backup 3");
        assertThatThrownBy(() -> engine.restore(4, directory.resolve("restored"), restoring))
                .hasMessageContaining("There is no backup 4").hasMessageContaining("1, 2");
        engine.verify(2);
    }

    @Test
    void theDefaultColumnFamilyCannotBeDropped() {
        RocksDB db = closeLater(open());
        db.put(Bytes.of("key"), Bytes.of("value"));
        assertThatThrownBy(() -> db.dropColumnFamily(db.defaultColumnFamily())).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("The default column family").hasMessageContaining(directory.toString())
                .hasMessageContaining("cannot be dropped");
        assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            block_based_table_factory={block_size=16384;filter_polcy=bloomfilter:10} > There is no option filter_polcy in \
            block_based_table_factory={…}, which was to be set to bloomfilter:10; did you mean filter_policy?
            block_based_table_factory={block_size=4K;blok_align=true} > no option blok_align in block_based_table_factory={…}, which was \
            to be set to true; did you mean block_align?
            table_factory={id=BlockBasedTable;nosuchthing=1} > There is no option nosuchthing in table_factory={…}, which was to be set to 1
            merge_operator={id=stringappend;delimeter=x} > There is no option delimeter in merge_operator={…}
            max_open_fils=500 > There is no option max_open_fils, which was to be set to 500; did you mean max_open_files?
            max_background_jobs=4;merge_operater=max > There is no option merge_operater, which was to be set to max; did you mean \
            merge_operator?
            write_buffer_size=abc > write_buffer_size must be a whole number of at most 18446744073709551615, but is abc
            max_open_files=99999999999999999999 > max_open_files must be a whole number of at most 2147483647, but is 99999999999999999999
            max_open_files= > max_open_files must be a whole number of at most 2147483647, but is empty
            max_bytes_for_level_multiplier=abc > max_bytes_for_level_multiplier must be a number, but is abc
            create_if_missing=maybe > create_if_missing must be true or false, but is maybe
            compression=kNoSuch > compression must be a value that RocksDB knows
            block_based_table_factory={checksum=kNo} > checksum in block_based_table_factory={…} must be a value
            block_based_table_factory={block_restart_interval=abc} > block_restart_interval in block_based_table_factory={…} must be a \
            whole number
            block_based_table_factory={block_size=4096 > Options are pairs NAME=VALUE or NAME={…}, separated by semicolons, which \
            block_based_table_factory={block_size=4096 is not
            bloom > Options are pairs NAME=VALUE or NAME={…}, separated by semicolons, which bloom is not
            compression_opts={level=4;levl=3} > There is no option levl in compression_opts={…}
            """)
    void theOptionThatIsWrongIsNamed(String options, String message) {
        assertThatThrownBy(() -> new Options().set(options)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(message).hasMessageNotContaining("sto");
    }

    /** RocksDB would take 1 for 1e6. */
    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            write_buffer_size=1e6 > write_buffer_size must be a whole number, such as 16384 or 16K, but is 1e6
            write_buffer_size=0x10 > write_buffer_size must be a whole number
            write_buffer_size=5.5 > write_buffer_size must be a whole number
            write_buffer_size={5;num_levels=3} > write_buffer_size must be a whole number
            max_background_jobs=3 4 > max_background_jobs must be a whole number, such as 16384 or 16K, but is 3 4
            max_open_files=5x > max_open_files must be a whole number
            max_open_files=5T > max_open_files is out of its range, but is 5T
            write_buffer_size=16777216T > write_buffer_size is out of its range, but is 16777216T
            ttl=5 days > ttl must be a whole number
            max_bytes_for_level_multiplier=5k > max_bytes_for_level_multiplier must be a number, such as 0.5, but is 5k
            memtable_prefix_bloom_size_ratio=0,1 > memtable_prefix_bloom_size_ratio must be a number
            max_bytes_for_level_multiplier_additional=1:2x:3 > must be whole numbers with colons between them, such as 4:2:1
            compression_opts=4:5x:0 > compression_opts must be whole numbers
            compression_opts={level=4x} > level must be a whole number, such as 16384 or 16K, but is 4x
            compaction_options_universal={size_ratio=1x;min_merge_width=2} > size_ratio must be a whole number
            compaction_options_universal.size_ratio=1x > compaction_options_universal.size_ratio must be a whole number
            max_bytes_for_level_multiplier_additional=4 2:1 > max_bytes_for_level_multiplier_additional must be whole
            compaction_options_fifo={file_temperature_age_thresholds={{age=10}:{temperature=kCold;age=1e6}}} > age must be
            compaction_options_fifo={max_table_files_size=5.5G} > max_table_files_size must be a whole number
            block_based_table_factory={metadata_block_size=4 KiB} > metadata_block_size must be a whole number
            table_factory={id=BlockBasedTable;block_restart_interval=5.5} > block_restart_interval must be a whole number
            """)
    void numbersAreReadToTheirEnd(String options, String message) {
        assertThatThrownBy(() -> new Options().set(options)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write_buffer_size=64M", "write_buffer_size=1t", "write_buffer_size= +5 ", "ttl={5}",
            "max_open_files=-1", "max_open_files=5k", "max_bytes_for_level_multiplier=1.5e1",
            "memtable_prefix_bloom_size_ratio=.25", "max_bytes_for_level_multiplier_additional=1:2:3",
            "compression_opts=4:5:0:0", "compression_opts={level=4;max_dict_bytes=16K}", "wal_dir=1 2",
            "daily_offpeak_time_utc=23:30-04:00", "db_host_id=10.0.0.1", "block_based_table_factory={block_cache=8M}",
            "compaction_options_universal={size_ratio=1;min_merge_width=2}",
            "block_based_table_factory={block_size=4K;filter_policy=bloomfilter:9.9;data_block_hash_table_util_ratio=0.5}",
            "paranoid_checks=1", "prefix_extractor=capped:8"})
    void whatIsNoNumberOrAWholeOneIsTaken(String options) {
        new Options().set(options);
    }

    @Test
    void nullInAListOrAMapIsNamed() {
        Map<String, String> values = new HashMap<>();
        values.put("write_buffer_size", null);
        try (RocksDB db = open()) {
            assertThatThrownBy(() -> db.setOptions(values)).isInstanceOf(NullPointerException.class)
                    .hasMessage("the value of write_buffer_size");
            assertThatThrownBy(() -> db.createColumnFamilies(Arrays.asList("a", null), new Options()))
                    .isInstanceOf(NullPointerException.class).hasMessage("one of names");
            assertThat(db.findColumnFamily("a")).isNull();
        }
        assertThatThrownBy(() -> new Options().compressionPerLevel(Arrays.asList((CompressionType) null)))
                .isInstanceOf(NullPointerException.class).hasMessage("one of levels");
    }

    @Test
    void optionsOfAnOpenDatabaseToo() {
        RocksDB db = closeLater(open());
        assertThatThrownBy(() -> db.setOptions(Map.of("write_buffer_size", "abc")))
                .isInstanceOf(RocksDBException.class)
                .hasMessageContaining("write_buffer_size must be a whole number").hasMessageContaining("abc");
        assertThatThrownBy(() -> db.setOptions(Map.of("write_buffer_size", "1e6")))
                .hasMessageContaining("write_buffer_size must be a whole number").hasMessageContaining("1e6");
        assertThatThrownBy(() -> db.setOptions(Map.of("write_buffer_size", "5;num_levels=3")))
                .hasMessageContaining("write_buffer_size must be a whole number");
        assertThatThrownBy(() -> db.setDbOptions(Map.of("max_background_jobs", "3 4")))
                .hasMessageContaining("max_background_jobs must be a whole number").hasMessageContaining("3 4");
        assertThatThrownBy(() -> db.setOptions(Map.of("num_levels", "5000")))
                .hasMessageStartingWith("num_levels must be from 0 to 1000");
        assertThatThrownBy(() -> db.setDbOptions(Map.of("delayed_write_rate", "0"))).hasMessage(
                "Cannot set delayed_write_rate of the " + db + ": delayed_write_rate must be at least 4, but is 0");
        assertThatThrownBy(() -> db.createColumnFamily("a", new Options().delayedWriteRate(1)))
                .hasMessageStartingWith("Cannot create the column family a: delayed_write_rate");
        assertThatThrownBy(() -> db.setDbOptions(Map.of("max_background_jobs", "many")))
                .hasMessageContaining("max_background_jobs must be a whole number").hasMessageContaining("many");
    }

    @Test
    void timestampsThatGoBackAreNamed() {
        RocksDB db = closeLater(open());
        ColumnFamily history = db.createColumnFamily("history",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
        history.increaseFullHistoryTsLow(new byte[]{9, 0, 0, 0, 0, 0, 0, 0});
        assertThatThrownBy(() -> history.increaseFullHistoryTsLow(new byte[]{8, 0, 0, 0, 0, 0, 0, 0}))
                .isInstanceOf(RocksDBException.class)
                .hasMessage("The " + history + " already drops versions before the timestamp 0x0900000000000000;"
                        + " give a later one than 0x0800000000000000");
    }

    @Test
    void bothComparatorsAreNamedWithTheColumnFamily() {
        open().close();
        assertThatThrownBy(() -> RocksDB.open(directory.resolve("db"), new Options()))
                .isInstanceOf(RocksDBException.class)
                .hasMessageContaining("created with the comparator rocksdb.ReverseBytewiseComparator")
                .hasMessageContaining("column families: users")
                .hasMessageContaining("the options have leveldb.BytewiseComparator")
                .hasMessageContaining("set(\"comparator=rocksdb.ReverseBytewiseComparator\")");
    }
}
