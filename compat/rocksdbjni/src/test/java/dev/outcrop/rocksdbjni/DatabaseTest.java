package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests that open databases; AssertJ's assertions are inherited. */
abstract class DatabaseTest extends Assertions {
    static final byte[] KEY = b("key");

    @TempDir
    Path directory;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Closes a resource at the end of the test, after those that were opened after it. */
    final <T extends AutoCloseable> T closeLater(T resource) {
        opened.push(resource);
        return resource;
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    static ByteBuffer direct(String text) {
        return direct(b(text));
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    final String path() {
        return path("db");
    }

    final String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Asserts that a call is refused as wrong use; the published jar fails with an AssertionError. */
    static void assertMisuse(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(IllegalStateException.class, AssertionError.class);
    }
}
