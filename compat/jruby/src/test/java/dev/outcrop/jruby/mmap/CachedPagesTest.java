package dev.outcrop.jruby.mmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedPagesTest {
    private static final int PAGE_SIZE = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void pagesThatAreInUseDoNotKeepTheOthersOpenAndAreClosedByTheNextTry() throws Exception {
        CachedPages pages = CachedPages.open(directory.resolve("pages"), PAGE_SIZE, 3, message -> {
        });
        for (int i = 0; i < 3; i++) {
            pages.push(new byte[PAGE_SIZE / 2], 0, PAGE_SIZE / 2);
        }
        List<FileMapping> mappings = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            mappings.add(pages.page(i));
        }
        Pipe first = Pipe.open();
        Pipe second = Pipe.open();
        List<CompletableFuture<Void>> writers = List.of(occupy(mappings.getFirst(), first),
                occupy(mappings.getLast(), second));

        assertThatThrownBy(pages::close).isInstanceOf(IllegalStateException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(mappings).extracting(FileMapping::isClosed).containsExactly(false, true, false);

        first.source().close();
        second.source().close();
        writers.forEach(writer -> writer.handle((_, _) -> true).join());
        pages.close();
        assertThat(mappings).allMatch(FileMapping::isClosed);
    }

    /** Has a thread write a page to a pipe that is full, in which it cannot be unmapped. */
    private static CompletableFuture<Void> occupy(FileMapping page, Pipe pipe) throws Exception {
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try (Pipe.SinkChannel sink = pipe.sink()) {
                ByteBuffer bytes = page.memory.asByteBuffer();
                while (bytes.hasRemaining()) {
                    int _ = sink.write(bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, task -> Thread.ofPlatform().daemon().start(task));
        // It has begun, and is blocked in the same call: the pipe holds less than the page.
        int _ = pipe.source().read(ByteBuffer.allocate(1));
        return writer;
    }
}
