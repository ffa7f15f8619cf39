package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;

/**
 * Receives log messages of databases. Subclasses implement {@link #log}, which several threads may call at once. Exceptions of this method
 * are logged, and do not reach RocksDB. Messages after the logger is closed are lost, so close the logger after the databases.
 */
public abstract class Logger extends RocksCallbackObject implements LoggerInterface {

    /**
     * A separate lock. Programs may hold the monitor of this object while they receive a message and use options that another thread has
     * locked.
     */
    private final Object lock = new Object();
    // These fields are set while the superclass is constructed, so they have no initial values.
    private long id;
    private volatile byte level;

    /**
     * Makes a logger with a level.
     *
     * @param logLevel messages below it are left out
     */
    public Logger(InfoLogLevel logLevel) {
        super(logLevel.getValue());
    }

    /**
     * Makes a logger with the level of options.
     *
     * @param dboptions options with the level
     * @deprecated it does not become the logger of the options
     */
    @Deprecated
    public Logger(DBOptions dboptions) {
        super(dboptions.infoLogLevel().getValue());
    }

    /**
     * Makes a logger with the level of options.
     *
     * @param options options with the level
     * @deprecated it does not become the logger of the options
     */
    @Deprecated
    public Logger(Options options) {
        super(options.infoLogLevel().getValue());
    }

    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return newLogger(nativeParameterHandles[0]);
    }

    /**
     * Makes the native logger.
     *
     * @param logLevel number of the level
     * @return its address
     */
    protected long newLogger(long logLevel) {
        level = (byte) logLevel;
        NativeLogger.Receiver receiver = this::receive;
        id = Callbacks.register(receiver, this, CallbackKind.LOGGER, getClass().getName());
        // The native logger passes on all levels, so that the level of this object can be changed.
        return NativeLogger.create(InfoLogLevel.DEBUG_LEVEL.getValue(), id);
    }

    /** Receives a message. Called by native code, on any thread. */
    private void receive(int messageLevel, String message) {
        if (messageLevel >= level) {
            log(InfoLogLevel.getInfoLogLevel((byte) messageLevel), message);
        }
    }

    /**
     * Receives a message.
     *
     * @param logLevel   how important it is
     * @param logMessage the message
     */
    protected abstract void log(InfoLogLevel logLevel, String logMessage);

    @Override
    public void setInfoLogLevel(InfoLogLevel logLevel) {
        setInfoLogLevel(nativeHandle_, logLevel.getValue());
    }

    @Override
    public InfoLogLevel infoLogLevel() {
        return InfoLogLevel.getInfoLogLevel(infoLogLevel(nativeHandle_));
    }

    /**
     * Sets the level.
     *
     * @param handle   address of the native logger, which has no part in it
     * @param logLevel number of the level
     */
    protected void setInfoLogLevel(long handle, byte logLevel) {
        level = logLevel;
    }

    /**
     * Returns the level.
     *
     * @param handle address of the native logger, which has no part in it
     * @return its number
     */
    protected byte infoLogLevel(long handle) {
        return level;
    }

    @Override
    public long getNativeHandle() {
        return nativeHandle_;
    }

    @Override
    public final LoggerType getLoggerType() {
        return LoggerType.JAVA_IMPLEMENTATION;
    }

    /** Sets the native logger of options. The options share it. */
    final void giveTo(long options) {
        lend(shared -> {
            NativeDbOptions.setInfoLog(options, shared);
            return options;
        });
    }

    /** A call that gets the address of the native logger's {@code shared_ptr}, and copies the {@code shared_ptr}. */
    interface Sharing<E extends Exception> {
        long with(long logger) throws E;
    }

    /** Makes a call while the native logger exists. */
    final <E extends Exception> long lend(Sharing<E> call) throws E {
        synchronized (lock) {
            if (!isOwningHandle()) {
                throw new IllegalStateException("The logger is closed");
            }
            return call.with(nativeHandle_);
        }
    }

    /** Stops the messages. Databases that still use the native logger keep it. */
    @Override
    protected void disposeInternal() {
        synchronized (lock) {
            Callbacks.remove(id);
            NativeLogger.destroy(nativeHandle_);
        }
    }
}
