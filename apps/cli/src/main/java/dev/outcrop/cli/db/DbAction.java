package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Subcommand;
import dev.outcrop.rocksdb.RocksDBException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A command that does something with databases. Failures of the library become one line for people. */
public abstract class DbAction extends Subcommand {
    /** The exit code if there is no such key. */
    static final int NOT_FOUND = 3;

    @Override
    public final Integer call() {
        // Listen from the start: Ctrl-C then waits until the command has ended its work.
        Interruption _ = interruption();
        return super.call();
    }

    @Override
    protected final int onFailure(Throwable e) {
        if (interruption().isRequested()) {
            return interrupted("stopped: " + Messages.of(e));
        }
        throw switch (e) {
            case IOException io -> Failure.of("cannot go on", io);
            case UncheckedIOException io -> Failure.of("cannot go on", io);
            case RocksDBException _,IllegalArgumentException _,UnsatisfiedLinkError _ ->
                new Failure(Messages.of(e), e);
            case RuntimeException mistake -> mistake; // a bug: the stack trace is wanted
            default -> new IllegalStateException(e);
        };
    }

    /** Declares that the command only reads, and writes to the standard output. It may wait there without end for a reader. */
    final void onlyShows() {
        interruption().mayAbandon();
    }

    /** Tells whether the command should go on: it was not interrupted, and its output has a reader. */
    final boolean goesOn() {
        return interruption().goesOn() && !out().checkError();
    }
}
