package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option strings do what they say or are refused; RocksDB alone would take many a wrong one without a word. */
class OptionStringsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nosuch=1", "max_open_files=abc", "max_open_files", "max_open_files=500;nosuch=1", ";;",
            ".=1",
            "max_open_files=", "max_open_files=99999999999999999999", "compression=kNoSuch", "create_if_missing=maybe",
            "block_based_table_factory={block_size=16384;nosuch=1}", "block_based_table_factory={block_size=16384",
            "merge_operator={id=stringappend;nosuch=1}"})
    void whatRocksDbDoesNotKnowIsRefused(String wrong) {
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
            "prefix_extractor=fixed:x",
            "sst_partitioner_factory=nosuch", "wal_filter=nosuch", "listeners=nosuch", "rate_limiter=nosuch",
            "file_checksum_gen_factory=nosuch", "statistics=nosuch", "env=nosuch", "env=nullptr", "env=",
            "memtable_factory=nosuch", "memtable_factory=vector:-1", "memtable_factory=vector:1000000000000",
            "memtable_factory={id=vector;count=1000000000000000000}", "{merge_operator=nosuch}", "{env=nullptr}",
            "table_factory={id=CuckooTable;hash_table_ratio=0}", "block_based_table_factory={{filter_policy=nosuch}}",
            "memtable=prefix_hash:0", "memtable={id=prefix_hash;bucket_count=0}",
            "memtable_factory={id=vector;count=-1}", "block_based_table_factory={filter_policy=nosuch}",
            "block_based_table_factory={block_size=8192;filter_policy={id=nosuch:10}}",
            "block_based_table_factory.filter_policy=nosuch", "table_factory={id=BlockBasedTable;filter_policy=nosuch}",
            "block_based_table_factory={flush_block_policy_factory=nosuch}"})
    void objectsThatRocksDbWouldLeaveOutAreRefused(String wrong) {
        assertRefusedWithNothingChanged(wrong);
    }

    private void assertRefusedWithNothingChanged(String wrong) {
        Options options = new Options().createIfMissing(true).maxOpenFiles(77)
                .set("merge_operator={id=stringappend;delimiter=+};block_based_table_factory={block_size=8192}");

        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> options.set(wrong));

        assertThat(thrown).as(wrong).isNotNull();
        assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(options.maxOpenFiles()).isEqualTo(77);
        String stored = storedOptions(options);
        assertThat(stored).contains("merge_operator={id=StringAppendOperator;delimiter=+;}", "  block_size=8192",
                "max_open_files=77");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            max_open_files=500 > max_open_files=500
            compression=kZSTD;compression_opts={level=5} > compression=kZSTD
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
            sst_partitioner_factory={id=SstPartitionerFixedPrefixFactory;length=4} > length=4
            file_checksum_gen_factory=FileChecksumGenCrc32cFactory > file_checksum_gen_factory=FileChecksumGenCrc32cFactory
            """)
    void whatIsSetIsWhatTheDatabaseGets(String set, String expected) {
        assertThat(storedOptions(new Options().createIfMissing(true).set(set))).contains(expected);
    }

    @Test
    void memtablesThatWouldCrashAreRefused() {
        assertThatThrownBy(() -> new Options().hashSkipListRep(0, 4, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(Long.MAX_VALUE, 4, 4))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(10, -1, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashSkipListRep(10, 4, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashLinkListRep(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Options().hashLinkListRep(1L << 32)).isInstanceOf(IllegalArgumentException.class);
        Options options = new Options().createIfMissing(true).allowConcurrentMemtableWrite(false)
                .set("prefix_extractor=fixed:1").hashSkipListRep(100, 4, 4);
        assertThat(storedOptions(options)).contains("HashSkipList");
    }

    @Test
    void anObjectCanBeTakenAway() {
        Options options = new Options().createIfMissing(true).mergeOperator(MergeOperator.MAX)
                .set("merge_operator=nullptr");
        assertThat(storedOptions(options)).contains("merge_operator=nullptr");
    }

    @Test
    void whatWasSetBeforeStays() {
        Options options = new Options().createIfMissing(true).enableStatistics().numLevels(3)
                .set("block_based_table_factory={filter_policy=bloomfilter:10}").mergeOperator(MergeOperator.MAX)
                .set("max_open_files=50");
        assertThat(storedOptions(options)).contains("num_levels=3", "filter_policy=bloomfilter:10", "MaxOperator",
                "max_open_files=50");
        assertThat(options.statisticsLevel()).isNotEqualTo(StatsLevel.DISABLE_ALL);
    }

    @Test
    void changingOptionsDoesNotChangeADatabaseThatIsOpen() {
        Options options = new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND);
        try (RocksDB db = RocksDB.open(directory.resolve("first"), options)) {
            options.mergeOperator(MergeOperator.PUT).createIfMissing(true);
            System.gc();
            db.merge(Bytes.of("key"), Bytes.of("a"));
            db.merge(Bytes.of("key"), Bytes.of("b"));
            assertThat(db.get(Bytes.of("key"))).asString().isEqualTo("a,b");
        }
    }

    @Test
    void aStringThatCWouldCutIsRefused() {
        assertThatThrownBy(() -> new Options().set("max_open_files=5\0;nosuch=1"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("NUL");
    }

    /** What RocksDB itself writes about its options when it opens a database. */
    private String storedOptions(Options options) {
        RocksDB.open(directory.resolve("stored"), options).close();
        try {
            return Files.readString(DirectoryImage.file(directory.resolve("stored"), "OPTIONS-.*"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
