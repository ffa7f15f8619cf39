package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import java.util.ArrayList;
import java.util.List;

/** The state of a {@code BackupEngine} in Java. The native engine has plain pointers to its envs. */
final class BackupEngineState {

    private final List<Env> leased = new ArrayList<>();
    private List<RateLimiter> limiters = List.of();
    private final List<Object> held = new ArrayList<>();

    BackupEngineState(BackupEngine engine) {
    }

    /** Keeps an env until the engine is closed; the caller has entered it. */
    void keep(Env env, Scratch entered) {
        env.lease(entered);
        leased.add(env);
    }

    /** Keeps the rate limiters and loggers of the options, and checks their rates. */
    void keep(BackupOptionsState options) {
        held.addAll(options.held());
        limiters = options.limiters();
        checkLimiters();
    }

    void checkLimiters() {
        limiters.forEach(limiter -> limiter.state_.limitBackups());
    }

    static void dispose(BackupEngine engine, long handle) {
        NativeBackups.close(handle);
        engine.state_.leased.forEach(Env::release);
    }
}
