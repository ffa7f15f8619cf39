package dev.outcrop.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The modules as they are packaged, on the module path. Runs after packaging, because the descriptors are not there before. */
class ModulePathIT {
    @TempDir
    private Path directory;

    private static final String PROGRAM = """
            import dev.outcrop.micrometer.*;
            import dev.outcrop.pipeline.*;
            import dev.outcrop.queue.Queue;
            import dev.outcrop.rocksdb.*;
            import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
            import java.lang.foreign.MemorySegment;
            import java.nio.file.Path;
            import java.time.Duration;
            import java.util.List;

            class Program {
                public static void main(String[] arguments) throws Exception {
                    Path directory = Path.of(arguments[0]);
                    try (Queue queue = Queue.open(directory.resolve("queue"));
                            RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true));
                            Queue changes = Queue.open(directory.resolve("changes"))) {
                        queue.append("value".getBytes());
                        MemorySegment key = MemorySegment.ofArray("key".getBytes());
                        try (Pipeline pipeline = Pipeline.from(queue, "group")
                                .map((offset, payload, writes) -> writes.put(key, payload)).into(db);
                                ChangeFeed feed = ChangeFeed.from(db).into(changes)) {
                            pipeline.drain(Duration.ofMinutes(1));
                            SimpleMeterRegistry registry = new SimpleMeterRegistry();
                            new PipelineMetrics(pipeline, List.of()).bindTo(registry);
                            new QueueMetrics(queue, List.of()).bindTo(registry);
                            new RocksDBMetrics(db, List.of()).bindTo(registry);
                            new NativeObjectMetrics().bindTo(registry);
                            double databases = registry.get("outcrop.databases").gauge().value();
                            System.out.println(databases + " database in " + NativeObjectMetrics.class.getModule());
                            System.out.println(Pipeline.class.getModule() + " has " + new String(db.get("key".getBytes())));
                        }
                    }
                }
            }
            """;

    @Test
    void oneModuleNeedsNativeAccess() throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        String modules = Stream.of(NativeLibraries.class, CApi.class, RocksDB.class, Queue.class, Pipeline.class,
                NativeObjectMetrics.class, MeterRegistry.class, KeyValue.class, Observation.class)
                .map(type -> ClassPath.placeOf(type).toString()).collect(Collectors.joining(File.pathSeparator));

        ChildJvm.Result result = ChildJvm.bare().option("--module-path").option(modules).option("--add-modules")
                .option("dev.outcrop.pipeline,dev.outcrop.micrometer").option("--illegal-native-access=deny")
                .option("--enable-native-access=dev.outcrop.memory").option("-cp")
                .option(ClassPath.nativesJar().toString()).runJava(program, directory);

        assertThat(result.output()).contains("module dev.outcrop.pipeline has value",
                "1.0 database in module dev.outcrop.micrometer");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
