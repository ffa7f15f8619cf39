package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Failure;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Makes entries of the records of an input. */
interface RecordFormat {
    /** A record that cannot become an entry. */
    final class BadRecordException extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        /** Takes the reason, which follows the place of the record in a message. */
        BadRecordException(String problem) {
            // No stack trace: there may be many of these exceptions, and their stacks are never shown.
            super(problem, null, false, false);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }

    /** Takes entries. */
    interface Entries {
        /** Takes the key and the value of an entry. The key may be empty here. */
        void entry(byte[] key, byte[] value) throws BadRecordException;
    }

    /** Finds the ends of records. */
    RecordEnd ends();

    /** Tells whether the first record is a header. */
    default boolean hasHeader() {
        return false;
    }

    /**
     * Reads the first record.
     *
     * @throws BadRecordException if it cannot be read
     * @throws Failure            if it lacks a column that an option names
     */
    default void header(byte[] record) throws BadRecordException {
        throw new IllegalStateException("There is no header");
    }

    /** Passes on the entry of a record. */
    void read(byte[] record, Entries use) throws BadRecordException;

    /** Returns the text of a record. Refuses bytes that are not UTF-8. Java would replace them. */
    static String utf8(byte[] record) throws BadRecordException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record)).toString();
        } catch (CharacterCodingException e) {
            throw new BadRecordException("it is not UTF-8");
        }
    }

    /** Returns the bytes of a text. */
    static byte[] bytes(String text) throws BadRecordException {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException e) {
            throw new BadRecordException("it has half a character, a surrogate without the other one");
        }
    }
}
