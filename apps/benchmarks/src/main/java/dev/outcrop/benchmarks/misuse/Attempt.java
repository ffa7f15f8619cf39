package dev.outcrop.benchmarks.misuse;

import dev.outcrop.benchmarks.misuse.MisusedLibrary.Steps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes a mistake, in its own JVM. If the JVM survives, its last line is the outcome. */
final class Attempt {
    /** The starts of the last line. */
    static final String THREW = "threw ";
    static final String RETURNED = "returned ";
    static final String NOTHING_TO_CLOSE = "nothing to close";

    private static final int RACES = 10;
    private static final int USES_BEFORE_CLOSE = 200;
    private static final long USES_AFTER_CLOSE_MILLIS = 20;

    private final MisusedLibrary side;
    private final Mistake mistake;
    private final Path directory;
    private final boolean closedByOtherThread;

    private Attempt(MisusedLibrary side, Mistake mistake, Path directory, boolean closedByOtherThread) {
        this.side = side;
        this.mistake = mistake;
        this.directory = directory;
        this.closedByOtherThread = closedByOtherThread;
    }

    /** Makes the mistake. The arguments are the side, the mistake, an empty directory, and whether another thread closes. */
    static void main(String[] args) throws Exception {
        MisusedLibrary side = args[0].equals("outcrop") ? new MisusedOutcrop() : new MisusedRocksJava();
        Attempt attempt = new Attempt(side, Mistake.valueOf(args[1]), Path.of(args[2]), Boolean.parseBoolean(args[3]));
        String result = attempt.mistake.isRace() ? attempt.race() : attempt.useAfterClose();
        // Damage may only show now.
        String later = outcome(() -> {
            side.doSomethingElse(attempt.directory.resolve("later"));
            return "";
        });
        System.out.println("\n" + result + (later.startsWith(THREW) ? ", and " + later + " later" : ""));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private String useAfterClose() throws Exception {
        Steps steps = side.prepare(mistake, Files.createDirectory(directory.resolve("db")));
        if (steps == null) {
            return NOTHING_TO_CLOSE;
        }
        String closed = outcome(() -> close(steps));
        if (closed.startsWith(THREW)) {
            return closed + " when another thread closed it";
        }
        side.doSomethingElse(directory.resolve("meanwhile"));
        return outcome(steps.use());
    }

    private String close(Steps steps) throws Exception {
        if (!closedByOtherThread) {
            steps.close().run();
            return "";
        }
        FutureTask<String> task = new FutureTask<>(() -> {
            steps.close().run();
            return "";
        });
        Thread.ofPlatform().start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    private static String outcome(Callable<?> use) {
        try {
            return RETURNED + describe(use.call());
        } catch (Throwable e) {
            return THREW + e.getClass().getSimpleName();
        }
    }

    private static String describe(@Nullable Object result) {
        return switch (result) {
            case null -> "null";
            case byte[] bytes -> bytes.length + " bytes";
            case String text -> text.length() < 20 ? text : "a text";
            case Number _ -> "a number";
            default -> result.getClass().getSimpleName();
        };
    }

    private String race() throws Exception {
        String result = NOTHING_TO_CLOSE;
        for (int i = 0; i < RACES; i++) {
            Path base = Files.createDirectory(directory.resolve("race" + i));
            Steps steps = Objects.requireNonNull(side.prepare(mistake, Files.createDirectory(base.resolve("db"))));
            result = race(steps);
        }
        return result;
    }

    private static String race(Steps steps) throws Exception {
        AtomicInteger uses = new AtomicInteger();
        AtomicInteger most = new AtomicInteger(Integer.MAX_VALUE);
        FutureTask<String> user = new FutureTask<>(() -> {
            String result = "";
            while (!result.startsWith(THREW) && uses.getAndIncrement() < most.get()) {
                result = outcome(steps.use());
            }
            return result;
        });
        Thread thread = Thread.ofPlatform().daemon().start(user);
        while (uses.get() < USES_BEFORE_CLOSE && thread.isAlive()) {
            Thread.sleep(1);
        }
        String closed = outcome(() -> {
            steps.close().run();
            return "";
        });
        Thread.sleep(USES_AFTER_CLOSE_MILLIS);
        most.set(0);
        String used = user.get();
        return closed.startsWith(THREW) ? closed + " when another thread closed it" : used;
    }
}
