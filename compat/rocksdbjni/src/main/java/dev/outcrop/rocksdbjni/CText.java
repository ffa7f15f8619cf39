package dev.outcrop.rocksdbjni;

/** Checks texts for C functions. In C, a text ends at a zero byte. */
public final class CText {

    private CText() {
    }

    /**
     * Checks that C can take a text.
     *
     * @param text for a function
     * @return the same text
     * @throws IllegalArgumentException if C would cut the text, or if the text cannot be encoded in UTF-8
     */
    public static String whole(String text) {
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            if (c == 0 || Character.getType(c) == Character.SURROGATE) {
                throw new IllegalArgumentException("The text '" + text.replace("\0", "\\0") + "' has "
                        + (c == 0 ? "a zero character" : "half of a character") + " at " + i
                        + ", which RocksDB's C API cannot take: use another text");
            }
            i += Character.charCount(c);
        }
        return text;
    }
}
