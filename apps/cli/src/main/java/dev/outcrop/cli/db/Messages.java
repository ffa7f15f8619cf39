package dev.outcrop.cli.db;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages of the libraries for people at a command line, without advice to programmers. The advice is in separate sentences, or behind a
 * semicolon. It is recognised by the names of methods and classes in it.
 */
public final class Messages {
    private static final Pattern CODE = Pattern.compile("\\w\\(|\\b[a-z]+[A-Z]\\w*|\\bRocksDB\\.\\w|\\bOptions\\b");
    /** Paths and quotations. They must not be mistaken for names of methods. */
    private static final Pattern QUOTED = Pattern.compile("/\\S+|\"[^\"]*\"|'[^']*'");
    private static final Pattern SENTENCE = Pattern.compile("(?<=\\.) ");
    private static final Pattern CLAUSE = Pattern.compile("(?<=;) ");

    private Messages() {
    }

    /** Returns the message of a failure, without advice to programmers. */
    public static String of(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        List<String> sentences = new ArrayList<>(List.of(SENTENCE.split(text)));
        List<String> clauses = new ArrayList<>(List.of(CLAUSE.split(sentences.removeFirst())));
        // The first clause says what has failed, even if it names methods or classes.
        String first = clauses.removeFirst();
        clauses.removeIf(Messages::isForPrograms);
        clauses.addFirst(first);
        sentences.removeIf(Messages::isForPrograms);
        sentences.addFirst(String.join(" ", clauses));
        return String.join(" ", sentences).replaceFirst("[;.:]$", "");
    }

    private static boolean isForPrograms(String text) {
        Matcher plain = QUOTED.matcher(text);
        return CODE.matcher(plain.replaceAll("")).find();
    }
}
