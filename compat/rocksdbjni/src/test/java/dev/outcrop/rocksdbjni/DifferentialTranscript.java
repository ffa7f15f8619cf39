package dev.outcrop.rocksdbjni;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The output of {@link DifferentialProgram}: a line for each call, begun before the call, so that the last one is known after a crash. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialTranscript {

    /** In the results of calls that the library refuses because it does not have them. */
    static final String REFUSED = "REFUSED";
    private static final String REFUSAL = "is not supported by Outcrop";
    private static final String NO_FUNCTION = "The RocksDB library has no function";

    private final PrintStream out;
    private final Set<String> leftOut;
    private final boolean isOurs;
    private final DifferentialText text;
    private long seed;
    private int operation;
    private int call;
    private boolean writeFailed;

    /**
     * Begins a transcript.
     *
     * @param out     where it is printed to
     * @param leftOut calls that this library refuses, and that the published one does not make
     * @param isOurs  which of both it is
     * @param text    of values
     */
    DifferentialTranscript(PrintStream out, Set<String> leftOut, boolean isOurs, DifferentialText text) {
        this.out = out;
        this.leftOut = leftOut;
        this.isOurs = isOurs;
        this.text = text;
    }

    void begin(long newSeed, int newOperation) {
        seed = newSeed;
        operation = newOperation;
        call = 0;
    }

    DifferentialText text() {
        return text;
    }

    /** Whether a call is to be made and to be compared. */
    boolean has(String name) {
        return !leftOut.contains(name);
    }

    /** Whether a write has failed since this was asked. */
    boolean takeWriteFailure() {
        boolean failed = writeFailed;
        writeFailed = false;
        return failed;
    }

    Object call(String name, Callable<?> body) {
        return call(name, "", body, () -> "");
    }

    /**
     * Makes a call and prints what comes of it.
     *
     * @param name      of the method; what is refused is left out by it
     * @param arguments as text
     * @param body      the call
     * @param after     what has become of the arguments
     * @return its result, null if it threw
     */
    Object call(String name, String arguments, Callable<?> body, Callable<String> after) {
        if (!has(name)) {
            return isOurs ? refused(name, body) : null;
        }
        out.print(String.format("%d %06d.%02d", seed, operation, call++) + "\t" + name + "\t" + arguments + "\t");
        out.flush();
        Object result = null;
        String line;
        try {
            result = body.call();
            line = text.of(result);
        } catch (Throwable thrown) {
            line = thrown(thrown);
            writeFailed |= name.matches("RocksDB\\.(put|merge|delete|deleteRange|singleDelete|write)\\b.*")
                    && line.contains("InvalidArgument");
        }
        try {
            line += after.call();
        } catch (Exception e) {
            line += " then " + thrown(e);
        }
        out.println(line.replaceAll("[\r\n]", " "));
        return result;
    }

    /** Makes a call that is known to be refused, and prints it only if it is not. */
    private Object refused(String name, Callable<?> body) {
        try {
            body.call();
        } catch (Throwable thrown) {
            if (thrown(thrown).equals(REFUSED)) {
                return null;
            }
        }
        out.println(String.format("%d %06d.%02d", seed, operation, call++) + "\t" + name + "\t\tIT IS NOT REFUSED");
        return null;
    }

    private String thrown(Throwable thrown) {
        if (thrown instanceof InvocationTargetException wrapper) {
            return thrown(wrapper.getCause());
        }
        if (thrown instanceof RocksDBException e) {
            Status status = e.getStatus();
            return "throws RocksDBException "
                    + (status == null ? "without status: " + text.cleaned(e.getMessage()) : text.of(status));
        }
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof UnsupportedOperationException
                && (message.contains(REFUSAL) || message.contains(NO_FUNCTION))) {
            return REFUSED;
        }
        return "throws " + thrown.getClass().getName();
    }
}
