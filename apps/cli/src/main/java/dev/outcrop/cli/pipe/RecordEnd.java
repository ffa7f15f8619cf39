package dev.outcrop.cli.pipe;

/** Finds the ends of records. Keeps its state if a record continues in the next bytes. */
interface RecordEnd {
    /**
     * Searches a part of the buffer that it has not seen before. Returns the index after the line feed that ends the record; -1 if there is
     * none.
     */
    int find(byte[] buffer, int from, int to);

    /** Tells whether a quotation is open. The quotation must be closed before the record can end. */
    boolean isWithin();

    /** Ends the record, at the end of the input. */
    void reset();

    /** Finds the ends of records that are lines. */
    final class OfLines implements RecordEnd {
        @Override
        public int find(byte[] buffer, int from, int to) {
            for (int i = from; i < to; i++) {
                if (buffer[i] == '\n') {
                    return i + 1;
                }
            }
            return -1;
        }

        @Override
        public boolean isWithin() {
            return false;
        }

        @Override
        public void reset() {
            // Lines have no state.
        }
    }

    /**
     * Finds the ends of records of CSV (RFC 4180). A line feed in a quoted field does not end a record. A quotation mark within an unquoted
     * field is an ordinary character.
     */
    final class OfCsv implements RecordEnd {
        private final byte separator;
        private boolean isQuoted;
        private boolean isFieldStart = true;
        /** Whether the last byte was a quotation mark inside quotes. It ends the quotes, unless a second mark follows. */
        private boolean wasQuoted;

        OfCsv(char separator) {
            this.separator = (byte) separator;
        }

        @Override
        public int find(byte[] buffer, int from, int to) {
            for (int i = from; i < to; i++) {
                byte next = buffer[i];
                if (isQuoted) {
                    // If there are two marks, the first one ends the quotation, and the second one begins it again.
                    isQuoted = next != '"';
                    wasQuoted = !isQuoted;
                } else if (next == '\n') {
                    reset();
                    return i + 1;
                } else {
                    isQuoted = next == '"' && (isFieldStart || wasQuoted);
                    isFieldStart = next == separator;
                    wasQuoted = false;
                }
            }
            return -1;
        }

        @Override
        public boolean isWithin() {
            return isQuoted;
        }

        @Override
        public void reset() {
            isQuoted = false;
            wasQuoted = false;
            isFieldStart = true;
        }
    }
}
