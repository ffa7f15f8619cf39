package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests that open databases; AssertJ's assertions are inherited. */
abstract class DatabaseTest extends Assertions {
    static final byte[] KEY = Bytes.of("key");
    static final byte[] VALUE = Bytes.of("value");

    @TempDir
    Path directory;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    static Options create() {
        return new Options().createIfMissing(true);
    }

    /** Repetitions of random tests. */
    static IntStream rounds() {
        return IntStream.range(0, TestSize.choose("outcrop.rounds", 1, 50));
    }

    static void refused(ThrowingCallable call) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(call);
    }

    static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** Opens the database in the directory until the end of the test, and makes it if there is none. */
    RocksDB open() {
        return open(create());
    }

    /** Opens the database with such options, and makes it if there is none. */
    RocksDB open(Options options) {
        return closeLater(RocksDB.open(directory, options.createIfMissing(true)));
    }

    /** Closes a resource at the end of the test, after those that were opened after it. */
    final <T extends AutoCloseable> T closeLater(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Runs a program that ends with 0, and returns its output. */
    static String output(ChildJvm jvm, Class<?> program, Object... arguments) throws IOException, InterruptedException {
        ChildJvm.Result result = jvm.run(program, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
