package dev.outcrop.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** How to use a database, in reading order. The part between tags is also in the README. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TutorialTest {
    @TempDir
    private Path directory;

    @Test
    @Order(1)
    void storeAndRead() {
        Path path = directory.resolve("users");
        byte[] key = "alice".getBytes(UTF_8);
        // tag::readme[]
        try (RocksDB db = RocksDB.open(path, new Options().createIfMissing(true)); Arena arena = Arena.ofConfined()) {
            db.put(key, "Alice, since 2026".getBytes(UTF_8));
            boolean isThere = db.get(key) != null; // a new array, or null

            MemorySegment nativeKey = arena.allocateFrom(ValueLayout.JAVA_BYTE, key);
            MemorySegment mine = arena.allocate(4096);
            long size = db.get(nativeKey, mine); // into my own memory: its size, also if it does not fit; -1 if absent

            // RocksDB's own bytes, without a copy, for as long as the function runs.
            Long difference = db.getPinned(nativeKey, pinned -> pinned.mismatch(mine.asSlice(0, size)));

            System.out.println(isThere + ", " + size + " bytes, first difference at " + difference);
            db.scan((k, v) -> v.byteSize() < 1_000_000); // in order of the keys, until false
        }
        // end::readme[]
        try (RocksDB db = RocksDB.open(path)) {
            assertThat(db.get(key)).isEqualTo("Alice, since 2026".getBytes(UTF_8));
        }
    }

    @Test
    @Order(2)
    void readWhicheverWayIsCheaper() {
        try (RocksDB db = RocksDB.open(directory.resolve("hybrid"), new Options().createIfMissing(true));
                Arena arena = Arena.ofConfined()) {
            db.put("small".getBytes(UTF_8), new byte[100]);
            db.put("large".getBytes(UTF_8), new byte[100_000]);
            MemorySegment buffer = arena.allocate(4096);
            for (String name : List.of("small", "large")) {
                MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, name.getBytes(UTF_8));
                // A slice of the buffer for the small value, RocksDB's own memory for the large one.
                try (PinnedSlice slice = Objects.requireNonNull(db.getHybrid(key, buffer))) {
                    assertThat(slice.isPinned()).isEqualTo(name.equals("large"));
                }
            }
        }
    }

    @Test
    @Order(3)
    void aKeyThatIsNotThereIsNoException() {
        try (RocksDB db = RocksDB.open(directory.resolve("absent"), new Options().createIfMissing(true));
                Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(8);
            assertThat(db.get(new byte[8])).isNull();
            assertThat(db.get(key, arena.allocate(8))).isEqualTo(RocksDB.NOT_FOUND);
            assertThat(db.getPinned(key)).isNull();
        }
    }

    @Test
    @Order(4)
    void writeDurably() {
        Path path = directory.resolve("durable");
        try (RocksDB db = RocksDB.open(path, new Options().createIfMissing(true))) {
            // A view of the database: what it writes is on the device when the method returns.
            KeyValueWriter durable = db.with(new WriteOptions().sync(true));
            durable.put("balance".getBytes(UTF_8), "100".getBytes(UTF_8));
            durable.delete("old".getBytes(UTF_8));
        }
        try (RocksDB db = RocksDB.openReadOnly(path, new Options())) {
            assertThat(db.get("balance".getBytes(UTF_8))).isEqualTo("100".getBytes(UTF_8));
        }
    }

    @Test
    @Order(5)
    void countWithAMergeOperator() {
        Options options = new Options().createIfMissing(true).mergeOperator(MergeOperator.UINT64_ADD);
        try (RocksDB db = RocksDB.open(directory.resolve("counters"), options)) {
            byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
            db.merge("visits".getBytes(UTF_8), one);
            db.merge("visits".getBytes(UTF_8), one);
            assertThat(db.get("visits".getBytes(UTF_8))).isEqualTo(new byte[]{2, 0, 0, 0, 0, 0, 0, 0});
        }
    }

    @Test
    @Order(6)
    void scanInOrder() {
        try (RocksDB db = RocksDB.open(directory.resolve("ordered"), new Options().createIfMissing(true))) {
            for (String key : List.of("c", "a", "b")) {
                db.put(key.getBytes(UTF_8), new byte[0]);
            }
            List<String> seen = new ArrayList<>();
            db.scan((key, value) -> seen.add(new String(key.toArray(ValueLayout.JAVA_BYTE), UTF_8)));
            assertThat(seen).containsExactly("a", "b", "c");
        }
    }

    @Test
    @Order(7)
    void sendWithoutACopy() throws IOException {
        byte[] value = new byte[100_000];
        Arrays.fill(value, (byte) 7);
        Path target = directory.resolve("sent");
        try (RocksDB db = RocksDB.open(directory.resolve("blobs"), new Options().createIfMissing(true));
                WritableByteChannel channel = FileChannel.open(target, CREATE, WRITE)) {
            MemorySegment key = MemorySegment.ofArray("blob".getBytes(UTF_8));
            db.put(key, MemorySegment.ofArray(value));
            try (PinnedSlice pinned = db.getPinned(key)) {
                if (pinned != null) {
                    ByteBuffer buffer = pinned.segment().asByteBuffer(); // a view, not a copy
                    while (buffer.hasRemaining()) {
                        channel.write(buffer); // a SocketChannel, a FileChannel: directly from the block cache
                    }
                }
            }
        }
        assertThat(Files.readAllBytes(target)).isEqualTo(value);
    }

    @Test
    @Order(8)
    void sendWithAnAsynchronousChannel() throws Exception {
        byte[] value = new byte[100_000];
        Arrays.fill(value, (byte) 7);
        Path target = directory.resolve("sent asynchronously");
        CompletableFuture<Integer> done = new CompletableFuture<>();
        try (RocksDB db = create(directory.resolve("blobs"), value);
                AsynchronousFileChannel channel = AsynchronousFileChannel.open(target, CREATE, WRITE);
                PinnedSlice pinned = db.getPinned("blob".getBytes(UTF_8))) {
            if (pinned != null) {
                SharedSlice shared = pinned.share(); // takes over what is pinned
                channel.write(shared.segment().asByteBuffer(), 0, shared,
                        new CompletionHandler<Integer, SharedSlice>() {
                            @Override
                            public void completed(Integer count, SharedSlice slice) {
                                slice.close(); // on a thread of the channel
                                done.complete(count);
                            }

                            @Override
                            public void failed(Throwable failure, SharedSlice slice) {
                                slice.close();
                                done.completeExceptionally(failure);
                            }
                        });
                assertThat(done.get()).isEqualTo(value.length);
            }
        }
        assertThat(Files.readAllBytes(target)).isEqualTo(value);
    }

    private static RocksDB create(Path path, byte[] value) {
        RocksDB db = RocksDB.open(path, new Options().createIfMissing(true));
        db.put("blob".getBytes(UTF_8), value);
        return db;
    }
}
