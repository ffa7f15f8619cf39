package dev.outcrop.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Starts a program that measures its garbage. The choices of the JIT compiler depend on what it has compiled before, and so on other
 * threads: one start of more than a hundred leaves objects that it removes in all others.
 */
public final class GarbageStarts {
    private static final int MOST = 3;

    private GarbageStarts() {
    }

    /** Starts a program. */
    public interface Start<T> {
        /**
         * Returns what the program has measured.
         *
         * @param number of this start, from 0 on, for the names of its files
         */
        T run(int number) throws Exception;
    }

    /** Starts a program up to three times, until a result is fine. Fails if none is. */
    public static <T> void require(Predicate<? super T> isFine, Start<T> program) throws Exception {
        List<T> results = new ArrayList<>();
        while (results.size() < MOST) {
            T result = program.run(results.size());
            if (isFine.test(result)) {
                return;
            }
            results.add(result);
        }
        throw new AssertionError("Each start has left too much: " + results);
    }
}
