package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pinned value that other threads share, and its end. */
class SharedSliceTest extends DatabaseTest {
    private static final int STUCK_MILLIS = 500;
    private static final byte[] VALUE = Bytes.random(1, 1_000_000);

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        db.put(KEY, VALUE);
        db.flush();
    }

    private PinnedSlice pin() {
        return Objects.requireNonNull(db.getPinned(KEY));
    }

    private static <T> T elsewhere(Callable<T> task) throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            return other.submit(task).get();
        }
    }

    @Test
    void anyThreadReadsAndClosesIt() throws Exception {
        PinnedSlice pinned = pin();
        MemorySegment before = pinned.segment();
        SharedSlice shared = pinned.share();
        assertThat(shared.isPinned()).isTrue();
        assertThat(shared.segment().isReadOnly()).isTrue();
        assertThat(shared.segment().address()).isEqualTo(before.address());
        assertThat(db.pinnedBytes()).isEqualTo(VALUE.length);
        pinned.close();
        assertThatThrownBy(() -> before.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pinned::share).isInstanceOf(IllegalStateException.class).hasMessageContaining("shared");

        assertThat(elsewhere(() -> ReadForm.bytes(shared.segment()))).isEqualTo(VALUE);
        elsewhere(() -> {
            shared.close();
            return shared;
        });
        assertThat(db.pinnedBytes()).isZero();
        assertThatThrownBy(() -> shared.segment().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        shared.close();
        assertThat(db.pinnedBytes()).isZero();
        db.close();
        RocksDB.open(directory).close();
    }

    @Test
    void onlyTheThreadThatReadItSharesIt() throws Exception {
        try (PinnedSlice pinned = pin()) {
            assertThatThrownBy(() -> elsewhere(pinned::share)).isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThat(ReadForm.bytes(pinned.segment())).isEqualTo(VALUE);
        }
        db.close();
        RocksDB.open(directory).close();
    }

    @Test
    void itKeepsTheDatabaseOpen() throws Exception {
        SharedSlice shared = pin().share();
        db.close();
        assertThat(elsewhere(() -> ReadForm.bytes(shared.segment()))).isEqualTo(VALUE);
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("1 pinned value");
        elsewhere(() -> {
            shared.close();
            return shared;
        });
        RocksDB.open(directory).close();
    }

    @Test
    void itKeepsADroppedFamilyAndValuesOfTransactions() throws Exception {
        db.close();
        try (TransactionDB transactions = TransactionDB.open(directory, new Options())) {
            ColumnFamily family = transactions.createColumnFamily("family", new Options());
            family.put(KEY, VALUE);
            family.flush();
            SharedSlice dropped = Objects.requireNonNull(family.getPinned(KEY)).share();
            transactions.dropColumnFamily(family);
            SharedSlice read;
            try (Transaction transaction = transactions.begin()) {
                read = Objects.requireNonNull(transaction.getPinned(KEY)).share();
            }
            for (SharedSlice each : List.of(dropped, read)) {
                assertThat(elsewhere(() -> ReadForm.bytes(each.segment()))).isEqualTo(VALUE);
                each.close();
            }
        }
        RocksDB.open(directory).close();
    }

    @Test
    void unpinnedValuesAreCopied() throws Exception {
        db.close();
        RocksDB copying = closeLater(RocksDB.open(directory, new Options().pinBudget(0)));
        Arena arena = closeLater(Arena.ofConfined());
        SharedSlice copied = closeLater(Objects.requireNonNull(copying.getPinned(KEY)).share());
        SharedSlice inBuffer = closeLater(Objects.requireNonNull(
                copying.getHybrid(Bytes.inNative(KEY), arena.allocate(VALUE.length))).share());
        for (SharedSlice each : List.of(copied, inBuffer)) {
            assertThat(each.isPinned()).isFalse();
            assertThat(elsewhere(() -> ReadForm.bytes(each.segment()))).isEqualTo(VALUE);
        }
    }

    @Test
    void anAsynchronousFileChannelWritesItAndItsHandlerClosesIt() throws Exception {
        Path target = directory.resolve("target");
        CompletableFuture<Integer> written = new CompletableFuture<>();
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(target, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); PinnedSlice pinned = pin()) {
            SharedSlice shared = pinned.share();
            channel.write(shared.segment().asByteBuffer(), 0, shared, new CompletionHandler<>() {
                @Override
                public void completed(Integer count, SharedSlice slice) {
                    slice.close();
                    written.complete(count);
                }

                @Override
                public void failed(Throwable e, SharedSlice slice) {
                    slice.close();
                    written.completeExceptionally(e);
                }
            });
            assertThat(written.get()).isEqualTo(VALUE.length);
        }
        assertThat(db.pinnedBytes()).isZero();
        assertThat(Files.readAllBytes(target)).isEqualTo(VALUE);
        db.close();
    }

    @Test
    void whileASocketHasItClosingIsRefusedAndItStaysPinned() throws Exception {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            Future<AsynchronousSocketChannel> accepted = server.accept();
            client.connect(server.getLocalAddress()).get();
            try (AsynchronousSocketChannel receiver = accepted.get(); SharedSlice shared = pin().share()) {
                ByteBuffer value = shared.segment().asByteBuffer();
                // Until the socket is full, because no one reads it. The system may also be slow to take the bytes.
                Future<Integer> writing = client.write(value);
                do {
                    while (writing.isDone()) {
                        writing = client.write(value.rewind());
                    }
                    Thread.sleep(STUCK_MILLIS);
                } while (writing.isDone());
                assertThatThrownBy(shared::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("a channel is using it");
                assertThat(db.pinnedBytes()).isEqualTo(VALUE.length);
                ByteBuffer received = ByteBuffer.allocate(1 << 16);
                Future<Integer> reading = receiver.read(received);
                while (!writing.isDone()) {
                    // Not waited for: the last bytes may have been read before it is said that they were written.
                    if (reading.isDone()) {
                        reading = receiver.read(received.clear());
                    }
                }
                writing.get();
                assertThat(ReadForm.bytes(shared.segment())).isEqualTo(VALUE);
            }
        }
        assertThat(db.pinnedBytes()).isZero();
        db.close();
    }

    @Test
    @Tag("verify")
    void threadsReadAndCloseItAtTheSameTime() throws Exception {
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 200; round++) {
                SharedSlice shared = pin().share();
                boolean closesDatabase = round == 199;
                CountDownLatch reading = new CountDownLatch(1);
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    boolean closes = i % 2 == 0;
                    all.add(executor.submit(() -> {
                        together.await();
                        if (closes) {
                            reading.await();
                            shared.close();
                            shared.close();
                            if (closesDatabase) {
                                db.close();
                            }
                            return null;
                        }
                        try {
                            while (true) {
                                assertThat(ReadForm.bytes(shared.segment())).isEqualTo(VALUE);
                                reading.countDown();
                            }
                        } catch (IllegalStateException e) {
                            // Closed, which is what this waits for.
                            return null;
                        }
                    }));
                }
                for (Future<?> each : all) {
                    each.get();
                }
                assertThat(db.pinnedBytes()).isZero();
            }
        }
        RocksDB.open(directory).close();
    }
}
