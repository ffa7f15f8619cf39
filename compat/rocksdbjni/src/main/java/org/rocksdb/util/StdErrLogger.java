package org.rocksdb.util;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdbjni.CText;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.lang.foreign.MemorySegment;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LoggerInterface;
import org.rocksdb.LoggerType;
import org.rocksdb.RocksObject;

/** Writes log messages of databases to the standard error stream of the process, in native code. */
public class StdErrLogger extends RocksObject implements LoggerInterface {

    private volatile InfoLogLevel level;

    /**
     * Makes a logger with a level.
     *
     * @param logLevel messages below it are left out
     */
    public StdErrLogger(InfoLogLevel logLevel) {
        this(logLevel, null);
    }

    /**
     * Makes a logger with a level and a prefix.
     *
     * @param logLevel  messages below it are left out
     * @param logPrefix a prefix of each message, or null
     */
    public StdErrLogger(InfoLogLevel logLevel, String logPrefix) {
        super(make(logLevel, logPrefix));
        level = logLevel;
    }

    private static long make(InfoLogLevel level, String prefix) {
        try (Scratch scratch = Scratch.open()) {
            return NativeLogger.createForStandardError(level.getValue(),
                    prefix == null ? MemorySegment.NULL : scratch.allocateFrom(CText.whole(prefix)));
        }
    }

    @Override
    public synchronized void setInfoLogLevel(InfoLogLevel logLevel) {
        byte number = logLevel.getValue();
        NativeMethods.require("Java_org_rocksdb_util_StdErrLogger_setInfoLogLevel");
        if (!isOwningHandle()) {
            String message = "The logger is closed";
            assert false : message;
            throw new IllegalStateException(message);
        }
        setInfoLogLevel(nativeHandle_, number);
        level = logLevel;
    }

    private static native void setInfoLogLevel(long handle, byte logLevel);

    @Override
    public InfoLogLevel infoLogLevel() {
        return level;
    }

    @Override
    public LoggerType getLoggerType() {
        return LoggerType.STDERR_IMPLEMENTATION;
    }

    /** Frees the logger, after waiting for a running change of the level. */
    @Override
    protected synchronized void disposeInternal(long handle) {
        NativeLogger.destroy(handle);
    }
}
