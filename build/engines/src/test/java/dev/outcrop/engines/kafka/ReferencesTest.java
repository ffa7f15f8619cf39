package dev.outcrop.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.codegen.orgrocksdb.References;
import dev.outcrop.codegen.orgrocksdb.References.Outcome;
import dev.outcrop.testsupport.ClassPath;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.kafka.streams.state.internals.RocksDBStore;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** Kafka Streams refers to nothing in {@code org.rocksdb} that is missing or refused here and works with the published jar. */
class ReferencesTest {

    /** Nothing makes a limiter of tasks, for the C API has none. Kafka's adapter of options only passes on one that users have made. */
    private static final Set<String> LIMITER = Set.of("ColumnFamilyOptions.setCompactionThreadLimiter"
            + "(Lorg/rocksdb/ConcurrentTaskLimiter;)Lorg/rocksdb/ColumnFamilyOptions;");
    /** The library has no function for them: the published jar throws {@code UnsatisfiedLinkError}. */
    private static final Set<String> UNKNOWN = Set.of("DBOptions.failIfOptionsFileError()Z",
            "DBOptions.setFailIfOptionsFileError(Z)Lorg/rocksdb/DBOptions;");
    /** These refuse in some cases: certain properties, and options that were read from a text or a file. */
    private static final Set<String> SOMETIMES = Set.of("RocksDB.getAggregatedLongProperty(Ljava/lang/String;)J",
            "ColumnFamilyOptions.memTableFactoryName()Ljava/lang/String;",
            "ColumnFamilyOptions.tableFactoryName()Ljava/lang/String;");
    /** RocksDB 11 no longer has them: with the published jar Kafka's adapter of options throws {@code NoSuchMethodError}. */
    private static final Set<String> REMOVED = Set.of("ColumnFamilyOptions.maxWriteBufferNumberToMaintain()I",
            "ColumnFamilyOptions.setMaxWriteBufferNumberToMaintain(I)Lorg/rocksdb/ColumnFamilyOptions;",
            "DBOptions.skipCheckingSstFileSizesOnDbOpen()Z",
            "DBOptions.setSkipCheckingSstFileSizesOnDbOpen(Z)Lorg/rocksdb/DBOptions;");

    @Test
    void whatKafkaStreamsRefersToWorks() throws IOException {
        List<ClassModel> streams = References.program(ClassPath.placeOf(RocksDBStore.class));
        SortedMap<String, Outcome> ours = References.to(ClassPath.placeOf(RocksDB.class)).of(streams);
        SortedMap<String, Outcome> published = References.to(RocksDbJar.publishedJar()).of(streams);

        assertThat(ours).hasSizeGreaterThan(350);
        assertThat(those(ours, Outcome.REFUSED)).containsAll(LIMITER).containsAll(UNKNOWN)
                .containsAll(SOMETIMES).hasSize(LIMITER.size() + UNKNOWN.size() + SOMETIMES.size());
        assertThat(those(ours, Outcome.MISSING)).isEmpty();
        assertThat(those(published, Outcome.MISSING)).isEqualTo(REMOVED);
    }

    private static Set<String> those(SortedMap<String, Outcome> outcomes, Outcome outcome) {
        return outcomes.keySet().stream().filter(member -> outcomes.get(member) == outcome).collect(Collectors.toSet());
    }
}
