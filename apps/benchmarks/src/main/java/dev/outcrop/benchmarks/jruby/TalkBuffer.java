package dev.outcrop.benchmarks.jruby;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jruby.RubyString;
import org.jruby.util.ByteList;

/** A mapped file for a Ruby program without an extension. The program calls this Java class, and JRuby converts the strings. */
public final class TalkBuffer {
    private final MappedByteBuffer buffer;

    private TalkBuffer(MappedByteBuffer buffer) {
        this.buffer = buffer;
    }

    /** Maps an existing file. */
    public static TalkBuffer open(String path, long size) throws IOException {
        return new TalkBuffer(map(path, size));
    }

    static MappedByteBuffer map(String path, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
        }
    }

    /** Goes back to the start. */
    public void rewind() {
        buffer.rewind();
    }

    /** Writes a Java string in the default charset (implicit conversion: JRuby decodes the Ruby string, and this encodes it). */
    public void writeDefaultCharset(String string) {
        buffer.put(string.getBytes(Charset.defaultCharset()));
    }

    /** Writes a Java string with one byte for each character (implicit conversion). */
    public void writeLatin1(String string) {
        buffer.put(string.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes an array (explicit conversion in Ruby, with {@code to_java_bytes}). */
    public void writeBytes(byte[] bytes) {
        buffer.put(bytes);
    }

    /** Writes the bytes of Ruby's own object without a copy (explicit conversion in Java). */
    public void writeRubyString(RubyString string) {
        ByteList bytes = string.getByteList();
        buffer.put(bytes.unsafeBytes(), bytes.begin(), bytes.realSize());
    }
}
