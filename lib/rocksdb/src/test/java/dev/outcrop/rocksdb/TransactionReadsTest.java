package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many keys at once, keys that may exist and values pinned for update, in transactions of both kinds. */
class TransactionReadsTest extends DatabaseTest {
    private static final byte[] STORED = Bytes.of("stored");
    private static final byte[] NEW = Bytes.of("new");
    private static final byte[] LARGE = Bytes.random(1, 20_000);
    private static final byte[] OTHER_LARGE = Bytes.random(2, 20_000);

    /** How a transaction keeps others away from its keys. */
    enum Kind {
        LOCKING,
        OPTIMISTIC
    }

    private RocksDB open(Kind kind, Options options) {
        options.createIfMissing(true);
        return switch (kind) {
            case LOCKING -> TransactionDB.open(directory, options);
            case OPTIMISTIC -> OptimisticTransactionDB.open(directory, options);
        };
    }

    private RocksDB open(Kind kind) {
        return open(kind, new Options());
    }

    private static Transaction begin(RocksDB db) {
        return begin(db, false);
    }

    private static Transaction begin(RocksDB db, boolean withSnapshot) {
        return switch (db) {
            case TransactionDB locking ->
                locking.begin(new WriteOptions(),
                        new TransactionOptions().setSnapshot(withSnapshot).lockTimeout(Duration.ofMillis(1)));
            case OptimisticTransactionDB optimistic ->
                optimistic.begin(new WriteOptions(), new OptimisticTransactionOptions().setSnapshot(withSnapshot));
            default -> throw new AssertionError(db);
        };
    }

    @ParameterizedTest
    @EnumSource
    void aRequestSeesWritesOfTheTransactionBeforeTheDatabase(Kind kind) {
        RocksDB db = closeLater(open(kind));
        Transaction transaction = closeLater(begin(db));
        Arena arena = closeLater(Arena.ofConfined());
        ColumnFamily users = db.createColumnFamily("users", new Options());
        for (String key : List.of("kept", "changed", "deleted")) {
            db.put(Bytes.of(key), STORED);
            users.put(Bytes.of(key), LARGE);
        }
        db.flush();
        transaction.put(Bytes.of("changed"), NEW);
        transaction.put(Bytes.of("added"), OTHER_LARGE);
        transaction.delete(Bytes.of("deleted"));
        transaction.in(users).put(Bytes.of("added"), new byte[0]);
        transaction.in(users).delete(Bytes.of("changed"));

        List<String> keys = List.of("kept", "changed", "added", "deleted", "nowhere");
        try (MultiGet request = transaction.multiGet()) {
            for (String key : keys) {
                request.add(Bytes.of(key)).add(users, Bytes.inNative(Bytes.of(key)));
            }
            byte[][] expected = {STORED, LARGE, NEW, null, OTHER_LARGE, new byte[0], null, LARGE, null, null};
            for (int round = 0; round < 3; round++) {
                try (MultiGetValues values = request.execute()) {
                    assertThat(values.toList()).containsExactly(expected);
                    assertThat(values.isPinned()).isTrue();
                    assertThat(values.bytes()).isEqualTo(60_009);
                    assertThat(db.pinnedBytes()).isEqualTo(60_009);
                }
                try (MultiGetValues values = request.execute(arena.allocate(60_009))) {
                    assertThat(values.toList()).containsExactly(expected);
                    assertThat(values.isPinned()).isFalse();
                }
                assertThat(db.pinnedBytes()).isZero();
            }
        }
        List<byte[]> list = keys.stream().map(Bytes::of).toList();
        assertThat(transaction.multiGet(list)).containsExactly(STORED, NEW, OTHER_LARGE, null, null);
        assertThat(transaction.in(users).multiGet(list)).containsExactly(LARGE, null, new byte[0], LARGE, null);
        assertThat(transaction.with(new ReadOptions().fillCache(false)).multiGet(list.subList(0, 1)))
                .containsExactly(STORED);
        assertThat(db.multiGet(list)).containsExactly(STORED, STORED, null, STORED, null);
        assertThat(users.multiGet(list)).containsExactly(LARGE, LARGE, null, LARGE, null);
        transaction.commit();
        assertThat(db.multiGet(list)).containsExactly(STORED, NEW, OTHER_LARGE, null, null);
        assertThat(users.multiGet(list)).containsExactly(LARGE, null, new byte[0], LARGE, null);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestSeesCommitsOfOthersUnlessItReadsASnapshot(Kind kind) {
        RocksDB db = closeLater(open(kind));
        Transaction other = closeLater(begin(db));
        db.put(KEY, STORED);
        Transaction transaction = closeLater(begin(db, true));
        MultiGet now = closeLater(transaction.multiGet().add(KEY).add(NEW));
        MultiGet then = closeLater(transaction.atSnapshot().multiGet().add(KEY).add(NEW));
        other.put(KEY, LARGE);
        other.put(NEW, NEW);
        for (MultiGet request : List.of(now, then)) {
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).as("before the commit").containsExactly(STORED, null);
            }
        }
        other.commit();
        try (MultiGetValues values = now.execute(); MultiGetValues before = then.execute()) {
            assertThat(values.toList()).containsExactly(LARGE, NEW);
            assertThat(before.toList()).containsExactly(STORED, null);
        }
        assertThat(transaction.keyMayExist(NEW)).isTrue();
        assertThat(transaction.atSnapshot().keyMayExist(NEW)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void valuesOutliveTheTransactionButItsRequestDoesNot(Kind kind) {
        RocksDB db = open(kind);
        db.put(KEY, LARGE);
        db.flush();
        Transaction transaction = begin(db);
        transaction.put(NEW, OTHER_LARGE);
        MultiGet ofFirst = transaction.multiGet().add(KEY).add(NEW);
        try (MultiGetValues values = ofFirst.execute()) {
            transaction.put(NEW, NEW);
            transaction.commit();
            assertThat(values.toList()).containsExactly(LARGE, OTHER_LARGE);
            transaction.close();
            db.close();
            assertThat(values.toList()).containsExactly(LARGE, OTHER_LARGE);
        }
        assertThatIllegalStateException().isThrownBy(ofFirst::execute).withMessageContaining("is closed");
        ofFirst.close();
        RocksDB again = closeLater(open(kind));
        Transaction second = closeLater(begin(again));
        MultiGet request = second.multiGet().add(NEW);
        MultiGet unlucky = second.multiGet().add(NEW);
        second.rollback();
        assertThatIllegalStateException().isThrownBy(unlucky::execute).withMessageContaining("was rolled back");
        unlucky.close();
        assertThatIllegalStateException().isThrownBy(second::multiGet).withMessageContaining("was rolled back");
        assertThatIllegalStateException().isThrownBy(() -> second.keyMayExist(KEY))
                .withMessageContaining("was rolled back");
        second.beginAgain().delete(NEW);
        try (MultiGetValues values = request.execute()) {
            assertThat(values.toList()).containsExactly((byte[]) null);
        }
        request.close();
        assertThat(again.pinnedBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void keysThatMayExistAreRead(Kind kind) {
        try (RocksDB db = open(kind)) {
            db.put(KEY, STORED);
            db.put(Bytes.of("deleted"), STORED);
            db.createColumnFamily("users", new Options()).put(NEW, LARGE);
            db.flush();
        }
        // Nothing is in memory now.
        RocksDB db = closeLater(open(kind));
        Transaction transaction = closeLater(begin(db));
        Transaction other = closeLater(begin(db));
        ColumnFamily users = db.columnFamily("users");
        transaction.delete(Bytes.of("deleted"));
        transaction.put(Bytes.of("empty"), new byte[0]);
        transaction.in(users).put(Bytes.of("added"), NEW);
        byte[] buffer = new byte[STORED.length];

        assertThat(transaction.keyMayExist(KEY, buffer)).isEqualTo(STORED.length);
        assertThat(buffer).isEqualTo(STORED);
        assertThat(transaction.keyMayExist(KEY)).isTrue();
        assertThat(transaction.keyMayExist(ByteBuffer.wrap(KEY))).isTrue();
        assertThat(transaction.keyMayExist(Bytes.inNative(KEY))).isTrue();
        assertThat(transaction.keyMayExist(Bytes.of("deleted"))).isFalse();
        assertThat(transaction.keyMayExist(Bytes.of("deleted"), buffer)).isEqualTo(KeyValueReader.NOT_FOUND);
        assertThat(transaction.keyMayExist(Bytes.of("empty"))).isTrue();
        assertThat(transaction.keyMayExist(Bytes.of("empty"), buffer)).isZero();
        assertThat(transaction.keyMayExist(NEW)).isFalse();
        assertThat(transaction.in(users).keyMayExist(NEW)).isTrue();
        // Too small: it says how much it would be.
        assertThat(transaction.in(users).keyMayExist(NEW, buffer)).isEqualTo(LARGE.length);
        assertThat(transaction.in(users).keyMayExist(Bytes.of("added"), buffer)).isEqualTo(NEW.length);
        assertThat(buffer).startsWith(NEW).endsWith(Bytes.of("red"));
        assertThat(other.in(users).keyMayExist(Bytes.of("added"))).isFalse();
        assertThat(other.keyMayExist(Bytes.of("deleted"))).isTrue();
        other.put(Bytes.of("theirs"), NEW);
        assertThat(transaction.keyMayExist(Bytes.of("theirs"))).isFalse();
        other.commit();
        assertThat(transaction.keyMayExist(Bytes.of("theirs"))).isTrue();
        transaction.rollback();
        transaction.beginAgain();
        assertThat(transaction.keyMayExist(Bytes.of("deleted"))).isTrue();
        assertThat(transaction.in(users).keyMayExist(Bytes.of("added"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aBufferMustBeUsableWhetherTheKeyIsThereOrNot(Kind kind) {
        Arena gone = Arena.ofConfined();
        MemorySegment freed = gone.allocate(100);
        gone.close();
        RocksDB db = closeLater(open(kind));
        Transaction transaction = closeLater(begin(db));
        transaction.put(KEY, LARGE);
        for (byte[] each : List.of(KEY, NEW)) {
            MemorySegment key = Bytes.inNative(each);
            List<Consumer<MemorySegment>> reads = List.of(buffer -> transaction.get(key, buffer),
                    buffer -> transaction.keyMayExist(key, buffer), buffer -> transaction.getHybrid(key, buffer));
            for (Consumer<MemorySegment> read : reads) {
                assertThatThrownBy(() -> read.accept(MemorySegment.ofArray(new byte[9]).asReadOnly()))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
                assertThatThrownBy(() -> read.accept(freed)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("freed");
            }
        }
    }

    /** How a transaction ends. */
    private enum End {
        COMMIT,
        ROLLBACK,
        CLOSE
    }

    private static void end(Transaction transaction, End how) {
        switch (how) {
            case COMMIT -> transaction.commit();
            case ROLLBACK -> transaction.rollback();
            case CLOSE -> transaction.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void valuesPinnedForUpdateOutliveTransactionAndDatabase(Kind kind) {
        for (End end : End.values()) {
            RocksDB db = open(kind);
            ColumnFamily users = end == End.COMMIT
                    ? db.createColumnFamily("users", new Options())
                    : db.columnFamily("users");
            db.put(KEY, LARGE);
            users.put(KEY, OTHER_LARGE);
            db.flush();
            users.flush();
            Transaction transaction = begin(db);
            transaction.put(NEW, OTHER_LARGE);
            List<PinnedSlice> slices = new ArrayList<>();
            MemorySegment key = Bytes.inNative(KEY);
            slices.add(transaction.getPinnedForUpdate(key, LockMode.EXCLUSIVE));
            slices.add(transaction.in(users).getPinnedForUpdate(key, LockMode.SHARED));
            slices.add(transaction.getPinnedForUpdate(Bytes.inNative(NEW), LockMode.EXCLUSIVE));
            assertThat(slices).allMatch(PinnedSlice::isPinned);
            assertThat(db.pinnedBytes()).isEqualTo(3L * LARGE.length);

            transaction.put(NEW, STORED);
            requireValues(slices, end);
            end(transaction, end);
            requireValues(slices, end);
            // Nothing but the slices holds the values now, and their blocks' place could be taken by others.
            db.delete(KEY);
            users.delete(KEY);
            users.flush();
            db.flush();
            db.compact();
            users.compact();
            requireValues(slices, end);
            transaction.close();
            db.close();
            requireValues(slices, end);
            assertThatThrownBy(() -> open(kind)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("this process");
            slices.forEach(PinnedSlice::close);
            assertThat(db.pinnedBytes()).isZero();
        }
        open(kind).close();
    }

    private static void requireValues(List<PinnedSlice> slices, End end) {
        assertThat(slices).as("%s", end).extracting(slice -> ReadForm.bytes(slice.segment())).containsExactly(LARGE,
                OTHER_LARGE, OTHER_LARGE);
    }

    @ParameterizedTest
    @EnumSource
    void valuesPinnedForUpdateAreCopiedBeyondTheBudget(Kind kind) {
        RocksDB db = closeLater(open(kind, new Options().pinBudget(LARGE.length)));
        db.put(KEY, LARGE);
        db.put(NEW, OTHER_LARGE);
        db.flush();
        try (Transaction transaction = begin(db);
                PinnedSlice pinned = Objects.requireNonNull(
                        transaction.getPinnedForUpdate(Bytes.inNative(KEY), LockMode.EXCLUSIVE));
                PinnedSlice copied = Objects.requireNonNull(
                        transaction.getPinnedForUpdate(Bytes.inNative(NEW), LockMode.EXCLUSIVE))) {
            transaction.rollback();
            assertThat(pinned.isPinned()).isTrue();
            assertThat(copied.isPinned()).isFalse();
            assertThat(ReadForm.bytes(pinned.segment())).isEqualTo(LARGE);
            assertThat(ReadForm.bytes(copied.segment())).isEqualTo(OTHER_LARGE);
            assertThat(db.pinnedBytes()).isEqualTo(LARGE.length);
        }
        assertThat(db.pinnedBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void valuesPinnedForUpdateStayLockedUntilTheEnd(Kind kind) {
        RocksDB db = closeLater(open(kind));
        Transaction other = closeLater(begin(db));
        db.put(KEY, STORED);
        for (byte[] key : List.of(KEY, Bytes.of("not there"))) {
            for (LockMode mode : LockMode.values()) {
                try (Transaction transaction = begin(db)) {
                    try (PinnedSlice slice = transaction.getPinnedForUpdate(Bytes.inNative(key), mode)) {
                        assertThat(slice == null).isEqualTo(!Arrays.equals(key, KEY));
                    }
                    // The slice is closed, and the key is still this transaction's.
                    other.put(NEW, NEW);
                    Status status = conflict(kind, () -> other.put(key, STORED), () -> {
                        other.commit();
                        transaction.commit();
                    });
                    assertThat(status.code())
                            .isEqualTo(kind == Kind.LOCKING ? Status.Code.TIMED_OUT : Status.Code.BUSY);
                    transaction.rollback();
                    if (kind == Kind.LOCKING) {
                        other.put(key, STORED);
                        other.commit();
                    }
                    other.beginAgain();
                    db.delete(Bytes.of("not there"));
                }
            }
        }
    }

    /** The step at which others find that a key is taken: with locks when they write it, optimistic ones when the first commits. */
    private static Status conflict(Kind kind, Runnable write, Runnable commit) {
        if (kind == Kind.OPTIMISTIC) {
            write.run();
        }
        return catchThrowableOfType(RocksDBException.class, () -> (kind == Kind.LOCKING ? write : commit).run())
                .status();
    }
}
