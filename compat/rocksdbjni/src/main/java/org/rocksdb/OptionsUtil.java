package org.rocksdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the options files of databases. */
public class OptionsUtil {

    private OptionsUtil() {
    }

    /**
     * Reads the latest options of a database.
     *
     * @param configOptions   how they are read
     * @param dbPath          directory of the database
     * @param dbOptions       gets the options of the database
     * @param cfDescs         gets the families, with the configuration of block based tables
     * @throws RocksDBException if there are no options, or if they are not understood
     */
    public static void loadLatestOptions(ConfigOptions configOptions, String dbPath, DBOptions dbOptions,
            List<ColumnFamilyDescriptor> cfDescs) throws RocksDBException {
        requireNonNull(dbOptions, "dbOptions");
        try (StoredOptions stored = new StoredOptions(dbPath, configOptions.state_.env,
                configOptions.state_.ignoresUnknown)) {
            stored.copyTo(dbOptions, cfDescs, new StoredTableFormats(latest(configOptions.state_.env, dbPath)));
        }
    }

    /** Returns the text of the latest options, a character for each byte; empty if the files are in memory. */
    static String latest(Env env, String path) throws RocksDBException {
        if (env instanceof RocksMemEnv) {
            return "";
        }
        try {
            return read(newest(path));
        } catch (IOException e) {
            throw new RocksDBException(new Status(Status.Code.IOError, Status.SubCode.None, e.toString()));
        }
    }

    private static Path newest(String path) throws IOException, RocksDBException {
        return OptionsFile.newest(Path.of(path)).orElseThrow(() -> new RocksDBException(new Status(
                Status.Code.NotFound, Status.SubCode.None, "No options files found in the DB directory.")));
    }

    /**
     * Reads options from a file of the system.
     *
     * @param configOptions   how they are read
     * @param optionsFileName the file
     * @param dbOptions       gets the options of the database
     * @param cfDescs         gets the families, with the configuration of block based tables
     * @throws RocksDBException if it cannot be read or is not understood
     */
    public static void loadOptionsFromFile(ConfigOptions configOptions, String optionsFileName, DBOptions dbOptions,
            List<ColumnFamilyDescriptor> cfDescs) throws RocksDBException {
        requireNonNull(configOptions, "configOptions");
        requireNonNull(dbOptions, "dbOptions");
        try {
            String text = read(Path.of(optionsFileName));
            OptionTexts.load(text.getBytes(ISO_8859_1), configOptions.state_.ignoresUnknown,
                    stored -> stored.copyTo(dbOptions, cfDescs, new StoredTableFormats(text)));
        } catch (IOException e) {
            throw new RocksDBException(new Status(Status.Code.IOError, Status.SubCode.None, e.toString()));
        }
    }

    /**
     * Reads options from a file of the system.
     *
     * @param optionsFileName      the file
     * @param env                  the env of the file: the default env, or an env on top of it
     * @param dbOptions            gets the options of the database
     * @param cfDescs              gets the families, with the configuration of block based tables
     * @param ignoreUnknownOptions whether to skip options that this version does not have
     * @throws RocksDBException if it cannot be read or is not understood
     * @deprecated only for programs that were compiled with an older version
     */
    @Deprecated(since = "11.0")
    public static void loadOptionsFromFile(String optionsFileName, Env env, DBOptions dbOptions,
            List<ColumnFamilyDescriptor> cfDescs, boolean ignoreUnknownOptions) throws RocksDBException {
        try (ConfigOptions configOptions = new ConfigOptions()) {
            configOptions.setEnv(env);
            configOptions.setIgnoreUnknownOptions(ignoreUnknownOptions);
            loadOptionsFromFile(configOptions, optionsFileName, dbOptions, cfDescs);
        }
    }

    private static String read(Path file) throws IOException {
        return Uninterrupted.get(() -> Files.readString(file, ISO_8859_1));
    }

    /**
     * Finds the latest file of options of a database.
     *
     * @param dbPath directory of the database
     * @param env    where it is
     * @return the name of the file
     * @throws RocksDBException if there is none
     */
    public static String getLatestOptionsFileName(String dbPath, Env env) throws RocksDBException {
        try (Scratch _ = env.use()) {
            if (!JniPaths.canCarry(dbPath) && !(env instanceof RocksMemEnv)) {
                return newest(dbPath).getFileName().toString();
            }
            NativeMethods.require("Java_org_rocksdb_OptionsUtil_getLatestOptionsFileName");
            return getLatestOptionsFileName(JniPaths.path(dbPath, "find options in memory"), env.nativeHandle_);
        } catch (IOException e) {
            throw new RocksDBException(new Status(Status.Code.IOError, Status.SubCode.None, e.toString()));
        }
    }

    private static native String getLatestOptionsFileName(String dbPath, long env) throws RocksDBException;
}
