package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.codegen.orgrocksdb.References;
import dev.outcrop.codegen.orgrocksdb.References.Outcome;
import dev.outcrop.testsupport.ClassPath;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/**
 * The classes of engines link with our {@code org.rocksdb}: each class, member and signature that their jars refer to is there, static, final
 * and visible as they need it, and so is each private member that they reach by reflection.
 */
@Tag("verify")
class LinksTest {
    private static final List<String> ENGINES = List.of("bookkeeper-server", "flink-statebackend-rocksdb",
            "hudi-common", "hugegraph-rocksdb", "ignite-rocksdb-common", "ignite-storage-rocksdb",
            "infinispan-cachestore-rocksdb", "jraft-core", "jraft-rheakv-core", "kafka-streams", "paimon-core",
            "rocketmq-broker", "rocketmq-common", "rocketmq-store", "samza-kv-rocksdb_2.12", "spark-core_2.13",
            "spark-kvstore_2.13", "spark-network-common_2.13", "spark-sql_2.13", "statelib", "storm-server",
            "zeebe-db");

    /** A row of links.tsv. */
    private record Unresolved(String engine, String member) {
        static Unresolved of(String row) {
            List<String> cells = List.of(row.split("\t", -1));
            assertThat(cells).hasSize(3);
            return new Unresolved(cells.get(0), cells.get(1));
        }
    }

    @Test
    void allThatEnginesReferToIsThere() throws IOException {
        References ours = References.to(ClassPath.placeOf(RocksDB.class));
        References published = References.to(Path.of(System.getProperty("published.jar")));
        Set<Unresolved> listed = rows();
        Set<Unresolved> met = new TreeSet<>(Comparator.comparing(Unresolved::toString));
        Set<String> reflected = new TreeSet<>();
        for (String engine : ENGINES) {
            List<ClassModel> program = References.program(Path.of(System.getProperty("engine.jars"), engine + ".jar"));
            Set<String> missing = missing(ours, program);
            assertThat(missing(published, program)).as(engine).containsAll(missing);
            for (Unresolved row : listed) {
                if (row.engine.equals(engine) && missing.removeIf(member -> member.startsWith(row.member))) {
                    met.add(row);
                }
            }
            assertThat(missing).as(engine).isEmpty();
            assertThat(program).as(engine).isNotEmpty();
            reflected.addAll(published.reflected(program));
            assertThat(ours.reflected(program)).as(engine).containsAll(published.reflected(program));
        }
        assertThat(met).as("rows of links.tsv that are still needed").containsExactlyInAnyOrderElementsOf(listed);
        assertThat(reflected).contains("NativeLibraryLoader.initialized", "RocksObject.nativeHandle_",
                "Transaction.put", "Transaction.get", "Transaction.delete");
    }

    private static Set<String> missing(References references, List<ClassModel> program) {
        return references.of(program).entrySet().stream().filter(each -> each.getValue() == Outcome.MISSING)
                .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Unresolved> rows() throws IOException {
        try (Stream<String> rows = Files.lines(Path.of("links.tsv"))) {
            return rows.filter(row -> !row.startsWith("#")).map(Unresolved::of).collect(Collectors.toSet());
        }
    }
}
