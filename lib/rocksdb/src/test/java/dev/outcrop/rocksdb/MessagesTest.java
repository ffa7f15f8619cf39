package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThatThrownBy(() -> db.setDbOptions(Map.of("max_background_jobs", "many")))
                .hasMessageContaining("max_background_jobs must be a whole number").hasMessageContaining("many");
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
