package dev.outcrop.cli.common;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The standard output of this program. It is in UTF-8 in any locale, so that no character is lost. It remembers why a write failed. A
 * {@link PrintWriter} forgets that reason, which tells a reader that has seen enough from a full disk.
 */
public final class StandardOutput extends OutputStream {
    /** The JDK's message for a pipe without a reader, in any locale. */
    private static final String CLOSED = "Broken pipe";
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    /** Opens the standard output of the process. */
    public StandardOutput() {
    }

    /** Returns the writer for commands. It writes each line at once. */
    public PrintWriter writer() {
        return new PrintWriter(this, true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[]{(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            if (failure == null) {
                failure = e;
            }
            throw e;
        }
    }

    /** Fails if output was lost, unless the reason is that the reader has seen enough. */
    public void requireWritten() {
        IOException lost = failure;
        if (lost != null && !CLOSED.equals(lost.getMessage())) {
            throw Failure.of("cannot write the standard output", lost);
        }
    }
}
