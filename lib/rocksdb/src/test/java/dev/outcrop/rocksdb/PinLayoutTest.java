package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PinLayoutProbe;
import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pin's layout is known; if it were not, every read would return the same. */
class PinLayoutTest extends DatabaseTest {
    @Test
    void theLibraryLaysPinsOutAsIsExpected() {
        ApiCall.requireLibrary();

        assertThat(PinLayoutProbe.confirms(0)).isTrue();
        assertThat(PinLayout.isConfirmed()).isTrue();
    }

    /** Among these are the words of the string that holds a value which is the pin's own. */
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 24, 32, 40, 48, 56, 64})
    void otherWordsOfAPinAreNotTakenForTheValue(int offset) {
        ApiCall.requireLibrary();

        assertThat(PinLayoutProbe.confirms(offset)).isFalse();
    }

    /** In a JVM of its own, because the decision is made once. */
    @Test
    @Tag("verify")
    void everyReadGivesTheSameIfTheValueIsAskedFor() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived().option("-D" + PinLayout.ASK + "=true").run(Asking.class,
                directory);

        int reads = 2 * Bytes.SIZES.length * (ReadForm.values().length + Asking.OTHER_FORMS);
        assertThat(result.output().strip()).isEqualTo("confirmed: false; read: " + reads);
        assertThat(result.exitCode()).isZero();
    }

    /** Reads values in all forms; prints how many it read. */
    static final class Asking {
        static final int OTHER_FORMS = 4;
        private static int read;

        private Asking() {
        }

        public static void main(String[] args) {
            try (OptimisticTransactionDB db = OptimisticTransactionDB.open(Path.of(args[0]), create())) {
                for (int size : Bytes.SIZES) {
                    db.put(key(size), Bytes.random(size, size));
                }
                readAll(db);
                db.flush();
                readAll(db);
            }
            System.out.println("confirmed: " + PinLayout.isConfirmed() + "; read: " + read);
        }

        private static void readAll(OptimisticTransactionDB db) {
            try (Transaction transaction = db.begin();
                    WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
                for (int size : Bytes.SIZES) {
                    for (ReadForm form : ReadForm.values()) {
                        require(size, form.read(db, key(size)));
                    }
                    require(size, transaction.get(key(size)));
                    require(size, slice(transaction.getPinned(Bytes.inNative(key(size)))));
                    require(size, slice(
                            batch.in(db.defaultColumnFamily()).getPinnedFromBatchAndDB(Bytes.inNative(key(size)))));
                    require(size, db.multiGet(List.of(key(size), key(size))).getLast());
                }
            }
        }

        private static byte[] key(int size) {
            return Bytes.of("size " + size);
        }

        private static byte[] slice(@Nullable PinnedSlice slice) {
            try (PinnedSlice open = Objects.requireNonNull(slice)) {
                return ReadForm.bytes(open.segment());
            }
        }

        private static void require(int size, byte @Nullable [] found) {
            if (!Arrays.equals(found, Bytes.random(size, size))) {
                throw new AssertionError("value of " + size + " bytes");
            }
            read++;
        }
    }
}
