package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A usable argument for every type of parameter in the public API; what is not listed is a string. */
final class SampleArguments {
    private final Map<Type, Supplier<Object>> samples = new LinkedHashMap<>();

    SampleArguments(RocksDB db, Arena arena) {
        MemorySegment key = arena.allocateFrom("key").asSlice(0, 3);
        samples.put(MemorySegment.class, () -> key);
        samples.put(byte[].class, () -> Bytes.of("key"));
        samples.put(ByteBuffer.class, key::asByteBuffer);
        samples.put(ScanVisitor.class, () -> (ScanVisitor) (k, v) -> true);
        samples.put(Function.class, () -> (Function<MemorySegment, Object>) MemorySegment::byteSize);
        samples.put(ReadOptions.class, ReadOptions::new);
        samples.put(WriteOptions.class, WriteOptions::new);
        samples.put(Options.class, Options::new);
        samples.put(Path.class, () -> Path.of("nowhere"));
        samples.put(Map.class, Map::of);
        samples.put(KeyRange.class, KeyRange::all);
        samples.put(long.class, () -> 1L);
        samples.put(WalReadOptions.class, WalReadOptions::new);
        samples.put(SizeApproximationOptions.class, SizeApproximationOptions::new);
        samples.put(ColumnFamily.class, db::defaultColumnFamily);
        samples.put(WriteBatch.class, WriteBatch::new);
        samples.put(WriteBatchWithIndex.class, () -> {
            // A closed one needs no closing by the caller that gets it.
            WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
            batch.close();
            return batch;
        });
        samples.put(Duration.class, () -> Duration.ofHours(1));
        samples.put(boolean.class, () -> true);
        samples.put(int.class, () -> 1);
        samples.put(long.class, () -> 1L);
        samples.put(FlushOptions.class, FlushOptions::new);
        samples.put(FlushWalOptions.class, FlushWalOptions::new);
        samples.put(CompactRangeOptions.class, CompactRangeOptions::new);
        samples.put(CompactionOptions.class, CompactionOptions::new);
        samples.put(IngestExternalFileOptions.class, IngestExternalFileOptions::new);
        samples.put(ImportColumnFamilyOptions.class, ImportColumnFamilyOptions::new);
        samples.put(ExportedColumnFamily.class,
                () -> new ExportedColumnFamily("leveldb.BytewiseComparator", List.of()));
        samples.put(ColumnFamilyMetadataOptions.class, ColumnFamilyMetadataOptions::new);
        samples.put(LiveFilesStorageInfoOptions.class, LiveFilesStorageInfoOptions::new);
    }

    @Nullable
    Object[] of(Method method) {
        return Stream.of(method.getGenericParameterTypes()).map(this::sample).toArray();
    }

    private Object sample(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class
                    ? List.of(sample(generic.getActualTypeArguments()[0]))
                    : sample(generic.getRawType());
        }
        return samples.getOrDefault(type, () -> "rocksdb.stats").get();
    }
}
