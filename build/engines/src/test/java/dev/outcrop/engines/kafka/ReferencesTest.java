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

    /** The library has no function for them: the published jar throws {@code UnsatisfiedLinkError}. */
    private static final Set<String> UNKNOWN = Set.of("DBOptions.failIfOptionsFileError()Z",
            "DBOptions.setFailIfOptionsFileError(Z)Lorg/rocksdb/DBOptions;");
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
        assertThat(those(ours, Outcome.REFUSED)).isEqualTo(UNKNOWN);
        assertThat(those(ours, Outcome.MISSING)).isEmpty();
        assertThat(those(published, Outcome.MISSING)).isEqualTo(REMOVED);
    }

    private static Set<String> those(SortedMap<String, Outcome> outcomes, Outcome outcome) {
        return outcomes.keySet().stream().filter(member -> outcomes.get(member) == outcome).collect(Collectors.toSet());
    }
}
