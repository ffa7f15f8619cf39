package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option strings take effect or are refused; RocksDB alone accepts many wrong ones. */
class OptionStringsTest extends DatabaseTest {
    @ParameterizedTest
    @ValueSource(strings = {"nosuch=1", "max_open_files=abc", "max_open_files", "max_open_files=500;nosuch=1", ";;",
            ".=1",
            "max_open_files=", "max_open_files=99999999999999999999", "compression=kNoSuch", "create_if_missing=maybe",
            "block_based_table_factory={block_size=16384;nosuch=1}", "block_based_table_factory={block_size=16384",
            "merge_operator={id=stringappend;nosuch=1}", "write_buffer_size=-5", "write_buffer_size={-5}",
            "max_total_wal_size=-1", "WAL_ttl_seconds=-1", "max_open_files=500;db_write_buffer_size = -1"})
    void unknownNamesAreRefused(String wrong) {
        assertRefusedWithNothingChanged(wrong);
    }

    @ParameterizedTest
    @ValueSource(strings = {"merge_operator=nosuch", "merge_operator={nosuch}", "merge_operator={{nosuch}}",
            "merge_operator={stringappend}", "merge_operator={id=nosuch}", "merge_operator={delimiter=|}",
            "merge_operator={delimiter=|;id=nosuch}", "merge_operator={id=stringappend;id=nosuch}",
            "merge_operator={id={nosuch}}", "merge_operator = { id = nosuch ; }", "merge_operator.id=nosuch",
            "merge_operator.delimiter=|", "merge_operator=stringappend;merge_operator=nosuch",
            "max_open_files=500;merge_operator=nosuch", "merge_operator=sortlist", "merge_operator=MergeSortOperator",
            "comparator=nosuch", "comparator={id=nosuch}", "compaction_filter=nosuch",
            "compaction_filter_factory=nosuch",
            "prefix_extractor=nosuch", "prefix_extractor=fixed:", "prefix_extractor=fixed:#",
            "prefix_extractor=fixed:x", "prefix_extractor=fixed:8.5", "memtable=skip_list:1.5",
            "sst_partitioner_factory=nosuch", "wal_filter=nosuch", "listeners=nosuch", "rate_limiter=nosuch",
            "file_checksum_gen_factory=nosuch", "statistics=nosuch", "env=nosuch", "env=nullptr", "env=",
            "memtable_factory=nosuch", "memtable_factory=vector:-1", "memtable_factory=vector:1000000000000",
            "memtable_factory={id=vector;count=1000000000000000000}", "{merge_operator=nosuch}", "{env=nullptr}",
            "table_factory={id=CuckooTable;hash_table_ratio=0}", "block_based_table_factory={{filter_policy=nosuch}}",
            "memtable=prefix_hash:0", "memtable={id=prefix_hash;bucket_count=0}",
            "memtable_factory={id=vector;count=-1}", "block_based_table_factory={filter_policy=nosuch}",
            "block_based_table_factory={block_size=8192;filter_policy={id=nosuch:10}}",
            "block_based_table_factory.filter_policy=nosuch", "table_factory={id=BlockBasedTable;filter_policy=nosuch}",
            "block_based_table_factory={flush_block_policy_factory=nosuch}",
            "block_based_table_factory={flush_block_policy_factory=nullptr}",
            "compression_manager=nosuch", "compression_manager={id=nosuch}", "compression_manager.id=nosuch",
            "block_based_table_factory={user_defined_index_factory=nosuch}",
            "block_based_table_factory={user_defined_index_factory={id=nosuch}}",
            "block_based_table_factory.user_defined_index_factory=nosuch",
            "table_factory={id=BlockBasedTable;user_defined_index_factory=nosuch}",
            "table_factory.user_defined_index_factory=nosuch", "table_factory.BlockBasedTable.filter_policy=nosuch",
            "table_factory=", "table_factory=nullptr", "table_factory={}", "table_factory={id=}",
            "table_factory={id=nullptr}", "table_factory={id=;block_size=4096}", "table_factory={id=nosuch}",
            "table_factory.id=nosuch", "table_factory.id=BlockBasedTable", "table_factory=PlainTable",
            "block_based_table_factory=", "block_based_table_factory=nullptr", "block_based_table_factory={}",
            "block_based_table_factory=nosuch", "block_based_table_factory={nosuch}", "block_based_table_factory.id=",
            "block_based_table_factory.id=nosuch", "block_based_table_factory={id=nosuch}",
            "block_based_table_factory=filter_policy=nosuch", "plain_table_factory={user_key_len=4}",
            "plain_table_factory=nosuch", "table_properties_collectors=nosuch", "table_properties_collectors=nullptr",
            "table_properties_collectors={nullptr}", "table_properties_collectors={id=nosuch}",
            "statistics={id=BasicStatistics;inner=nosuch}", "statistics={id=nosuch}", "rate_limiter=nullptr",
            "memtable_factory=", "memtable_factory=nullptr", "memtable=nullptr",
            "block_based_table_factory={block_cache_compressed=8M}", "block_based_table_factory={persistent_cache=8M}",
            "blob_direct_write_partition_strategy=nosuch",
            // The brace does not begin the value, and so does not hide what comes after the semicolon.
            "db_host_id=x{;merge_operator=nosuch", "db_host_id=x{;merge_operator=nosuch;db_host_id=}"})
    void objectsThatRocksDbWouldLeaveOutAreRefused(String wrong) {
        assertRefusedWithNothingChanged(wrong);
    }

    /** Each of these crashes, hangs or fills the memory, gives wrong data, or sets something else without a word. */
    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            block_based_table_factory={block_size=4294967295} > block_size must be from 1 to 268435456, but is 4294967295
            block_based_table_factory={block_size={4294967295}} > block_size must be from 1 to
            block_based_table_factory=block_size=4294967295 > block_size must be from 1 to
            block_based_table_factory={block_size=4G} > but is 4G
            block_based_table_factory={block_size=0;block_align=true};compression=kNoCompression > but is 0
            block_based_table_factory={block_size=-1} > but is -1
            block_based_table_factory={block_size=16 KB} > block_size must be a whole number
            block_based_table_factory={block_size=16KBs} > block_size must be a whole number
            block_based_table_factory={block_size=512MB} > but is 512MB
            block_based_table_factory={block_size=} > block_size must be a whole number
            block_based_table_factory.block_size=4294967295 > block_based_table_factory.block_size must be from 1
            table_factory={id=BlockBasedTable;block_size=4294967295} > block_size must be from 1
            table_factory.block_size=4294967295 > table_factory.block_size must be from 1
            table_factory.BlockBasedTable.block_size=4294967295 > block_size must be from 1
            block_based_table_factory={max_auto_readahead_size=18446744073709551615} > must be from 0 to 1073741824
            block_based_table_factory={initial_auto_readahead_size=18446744073709551615} > must be from 0 to 1073741824
            block_based_table_factory={read_amp_bytes_per_bit=4294967296} > must be from 0 to 4294967295
            block_based_table_factory={data_block_hash_table_util_ratio=nan} > must be a finite number, but is nan
            block_based_table_factory={uniform_cv_threshold=-inf} > must be a finite number, but is -inf
            block_based_table_factory={block_cache=nosuch} > block_cache must be a number of bytes
            block_based_table_factory={block_cache=nullnosuch} > block_cache must be a number of bytes
            block_based_table_factory={block_cache=nosuch://8M} > block_cache must be a number of bytes
            block_based_table_factory={block_cache=-1} > block_cache must be from 0
            block_based_table_factory={block_cache={capacity=-1}} > capacity must be from 0
            block_based_table_factory={block_cache={capacity=8M;num_shard_bits=20}} > num_shard_bits must be from -1 to 19
            block_based_table_factory={block_cache={capacity=8M;high_pri_pool_ratio=2}} > must be from 0 to 1, but is 2
            block_based_table_factory={block_cache={capacity=8M;low_pri_pool_ratio=nan}} > must be from 0 to 1, but is nan
            block_based_table_factory={block_cache={capacity=8M;low_pri_pool_ratio=0.6}} > not more than 1 together
            blob_cache=nosuch://8M > blob_cache must be a number of bytes
            blob_cache={capacity=8M;num_shard_bits=25} > num_shard_bits must be from -1 to 19
            rate_limiter_bytes_per_sec=0 > rate_limiter_bytes_per_sec must be from 1000 to 9223372036854775807, but is 0
            rate_limiter_bytes_per_sec=-1 > but is -1
            """)
    void numbersThatDoHarmAreRefused(String wrong, String message) {
        assertThat(assertRefusedWithNothingChanged(wrong)).hasMessageContaining(message);
    }

    /** Opens a database with each of the option strings, and writes, flushes, compacts and reads. */
    static final class Extremes {
        private Extremes() {
        }

        static void main(String[] arguments) {
            for (int i = 1; i < arguments.length; i++) {
                Path path = Path.of(arguments[0]).resolve("db" + i);
                Options options = create().set(arguments[i]);
                try (RocksDB db = RocksDB.open(path, options)) {
                    for (int round = 0; round < 2; round++) {
                        for (int k = 0; k < 500; k++) {
                            db.put(Bytes.of("key" + k), Bytes.random(k, k));
                        }
                        db.flush();
                    }
                    db.compact();
                    int[] found = new int[1];
                    db.scan((key, value) -> {
                        found[0]++;
                        return true;
                    });
                    for (int k = 0; k < 500; k++) {
                        if (!Arrays.equals(db.get(Bytes.of("key" + k)), Bytes.random(k, k))) {
                            throw new AssertionError("key" + k + " with " + arguments[i]);
                        }
                    }
                    System.out.println("found " + found[0]);
                }
            }
        }
    }

    /** Values at the ends of the allowed ranges work, and so do values that RocksDB corrects. */
    @Test
    @Tag("verify")
    void allowedNumbersWork() throws Exception {
        List<String> allowed = List.of("block_based_table_factory={block_size=1}",
                "block_based_table_factory={block_size=1;block_align=true};compression=kNoCompression",
                "block_based_table_factory={block_size=256M}", "table_factory.block_size=8K",
                "block_based_table_factory=block_size=8192",
                "block_based_table_factory={max_auto_readahead_size=1G;initial_auto_readahead_size=1G;"
                        + "num_file_reads_for_auto_readahead=0}",
                "block_based_table_factory={read_amp_bytes_per_bit=4294967295};statistics=BasicStatistics",
                "block_based_table_factory={read_amp_bytes_per_bit=1};statistics=BasicStatistics",
                "block_based_table_factory={block_cache=0}", "block_based_table_factory={block_cache=nullptr}",
                "block_based_table_factory={block_cache={capacity=1T;num_shard_bits=-1;low_pri_pool_ratio=0.5}}",
                "block_based_table_factory={block_cache={capacity=1M;num_shard_bits=19;high_pri_pool_ratio=1}}",
                "block_based_table_factory={block_restart_interval=0;index_block_restart_interval=-1}",
                "block_based_table_factory={block_restart_interval=2147483647;block_size_deviation=2147483647}",
                "block_based_table_factory={index_type=kTwoLevelIndexSearch;partition_filters=true;"
                        + "filter_policy=bloomfilter:10;metadata_block_size=0}",
                "block_based_table_factory={index_type=kTwoLevelIndexSearch;partition_filters=true;"
                        + "filter_policy=bloomfilter:10;metadata_block_size=18446744073709551615}",
                "block_based_table_factory={super_block_alignment_size=2147483648;"
                        + "super_block_alignment_space_overhead_ratio=4}",
                "block_based_table_factory={data_block_index_type=kDataBlockBinaryAndHash;"
                        + "data_block_hash_table_util_ratio=1e-9}",
                "block_based_table_factory={user_defined_index_factory=trie_index}", "compression_manager=BuiltinV2",
                "blob_cache=1M;enable_blob_files=true;prepopulate_blob_cache=kFlushOnly",
                "rate_limiter_bytes_per_sec=9223372036854775807");
        List<Object> arguments = new ArrayList<>(List.of(directory));
        arguments.addAll(allowed);

        String output = output(ChildJvm.shortLived(), Extremes.class, arguments.toArray());
        assertThat(output.lines()).hasSize(allowed.size()).allMatch("found 500"::equals);
    }

    private RocksDBException assertRefusedWithNothingChanged(String wrong) {
        Options options = create().maxOpenFiles(77)
                .set("merge_operator={id=stringappend;delimiter=+};block_based_table_factory={block_size=8192}");

        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> options.set(wrong));

        assertThat(thrown).as(wrong).isNotNull();
        assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(options.maxOpenFiles()).isEqualTo(77);
        String stored = storedOptions(options);
        assertThat(stored).contains("merge_operator={id=StringAppendOperator;delimiter=+;}", "  block_size=8192",
                "max_open_files=77");
        return thrown;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            max_open_files=500 > max_open_files=500
            compression=kZSTD;compression_opts={level=5} > compression=kZSTD
            write_buffer_size=64MB > write_buffer_size=67108864
            compaction_readahead_size=2mb > compaction_readahead_size=2097152
            block_based_table_factory={block_size=4KiB;block_cache=64MB} > block_size=4096
            max_bytes_for_level_multiplier_additional=4 : 2 : 1 > max_bytes_for_level_multiplier_additional=4:2:1
            compaction_style=kCompactionStyleFIFO;num_levels=1;compaction_options_fifo={file_temperature_age_thresholds={{temperature=kWarm;age=10}:{temperature=kCold;age=1K}}} > {age=10;temperature=kWarm;}:{age=1024;temperature=kCold;}
            compaction_style=kCompactionStyleFIFO;num_levels=1;compaction_options_fifo={file_temperature_age_thresholds={temperature=kWarm;age=10}} > {age=10;temperature=kWarm;}
            prefix_extractor=fixed:8 > prefix_extractor=rocksdb.FixedPrefix.8
            prefix_extractor={id=rocksdb.CappedPrefix.3} > prefix_extractor=rocksdb.CappedPrefix.3
            comparator=rocksdb.ReverseBytewiseComparator > comparator=rocksdb.ReverseBytewiseComparator
            memtable_factory=vector > memtable_factory={id=VectorRepFactory;count=0;}
            memtable_factory=skip_list:16 > memtable_factory=SkipListFactory:16
            merge_operator=uint64add > merge_operator=UInt64AddOperator
            merge_operator={id=stringappend;delimiter={;}} > merge_operator={id=StringAppendOperator;delimiter=;;}
            block_based_table_factory={filter_policy=bloomfilter:9.9;block_size=16K} > filter_policy=bloomfilter:9.9:false
            block_based_table_factory={filter_policy=ribbonfilter:10:-1} > filter_policy={id=ribbonfilter:10:-1;
            block_based_table_factory.block_size=16384 > block_size=16384
            block_based_table_factory=block_size=16384 > block_size=16384
            table_factory.block_size=16384 > block_size=16384
            table_factory={id=BlockBasedTable;block_size={16K}} > block_size=16384
            compression_manager=BuiltinV2 > compression_manager=BuiltinCompressionManagerV2
            block_based_table_factory={user_defined_index_factory=trie_index} > user_defined_index_factory=trie_index
            sst_partitioner_factory={id=SstPartitionerFixedPrefixFactory;length=4} > length=4
            file_checksum_gen_factory=FileChecksumGenCrc32cFactory > file_checksum_gen_factory=FileChecksumGenCrc32cFactory
            """)
    void theDatabaseGetsTheSetOptions(String set, String expected) {
        assertThat(storedOptions(create().set(set))).contains(expected);
    }

    @Test
    void memtablesThatWouldCrashAreRefused() {
        assertThatThrownBy(() -> new Options().hashSkipListRep(0, 4, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(Long.MAX_VALUE, 4, 4))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(10, -1, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(10, 4, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(10, 4, 1 << 16))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashLinkListRep(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashLinkListRep(1L << 32)).isInstanceOf(IllegalArgumentException.class);
        Options options = create().allowConcurrentMemtableWrite(false)
                .set("prefix_extractor=capped:1").hashSkipListRep(100, 4, 4);
        assertThat(storedOptions(options)).contains("HashSkipList");
    }

    @Test
    void anObjectCanBeTakenAway() {
        Options options = create().mergeOperator(MergeOperator.MAX).set("merge_operator=nullptr");
        assertThat(storedOptions(options)).contains("merge_operator=nullptr");
    }

    @Test
    void earlierSettingsStay() {
        Options options = create().enableStatistics().numLevels(3)
                .set("block_based_table_factory={filter_policy=bloomfilter:10}").mergeOperator(MergeOperator.MAX)
                .set("max_open_files=50");
        assertThat(storedOptions(options)).contains("num_levels=3", "filter_policy=bloomfilter:10", "MaxOperator",
                "max_open_files=50");
        assertThat(options.statisticsLevel()).isNotEqualTo(StatsLevel.DISABLE_ALL);
    }

    @Test
    void changingOptionsDoesNotChangeADatabaseThatIsOpen() {
        Options options = create().mergeOperator(MergeOperator.STRING_APPEND);
        RocksDB db = closeLater(RocksDB.open(directory.resolve("first"), options));
        options.mergeOperator(MergeOperator.PUT).createIfMissing(true);
        System.gc();
        db.merge(Bytes.of("key"), Bytes.of("a"));
        db.merge(Bytes.of("key"), Bytes.of("b"));
        assertThat(db.get(Bytes.of("key"))).asString().isEqualTo("a,b");
    }

    @Test
    void aStringThatCWouldCutIsRefused() {
        assertThatThrownBy(() -> new Options().set("max_open_files=5\0;nosuch=1"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("NUL");
    }

    /** RocksDB's own text about its options when it opens a database. */
    private String storedOptions(Options options) {
        RocksDB.open(directory.resolve("stored"), options).close();
        try {
            return Files.readString(DirectoryImage.file(directory.resolve("stored"), "OPTIONS-.*"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
