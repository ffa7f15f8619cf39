package org.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Options from texts. RocksDB reads them from a temporary file. */
final class OptionTexts {

    /** A version later than any release: RocksDB skips unknown options only in files of later versions. */
    private static final String VERSION = "[Version]\nrocksdb_version=999.0.0\noptions_file_version=1.1\n";

    private OptionTexts() {
    }

    /** Code that uses the options that were read. */
    interface Use {
        void with(StoredOptions stored) throws RocksDBException;
    }

    static void load(byte[] text, boolean ignoreUnknown, Use use) throws RocksDBException, IOException {
        Path directory = Files.createTempDirectory("outcrop-options");
        Path file = directory.resolve("OPTIONS-000001");
        try {
            Uninterrupted.run(() -> Files.write(file, text));
            try (StoredOptions stored = new StoredOptions(directory.toString(), Env.getDefault(), ignoreUnknown)) {
                use.with(stored);
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    /** Returns {@code name=value;} for each property. */
    static String fromProperties(Properties properties) {
        requireSome(properties);
        StringBuilder text = new StringBuilder();
        for (String name : properties.stringPropertyNames()) {
            text.append(name).append('=').append(properties.getProperty(name)).append(';');
        }
        return text.toString();
    }

    /** Returns null if the properties are not understood, as published. */
    static DBOptions database(ConfigOptions config, Properties properties) {
        String text = "[DBOptions]\n" + lines(properties) + "[CFOptions \"default\"]\n";
        return load(config, text, new DBOptions(), StoredOptions::copyDatabase);
    }

    /** Returns null if the properties are not understood, as published. */
    static ColumnFamilyOptions family(ConfigOptions config, Properties properties) {
        String text = "[DBOptions]\n[CFOptions \"default\"]\n" + lines(properties);
        return load(config, text, new ColumnFamilyOptions(),
                (stored, options) -> stored.copyFamily(0, options, new StoredTableFormats(text)));
    }

    private interface Copy<O> {
        void to(StoredOptions stored, O options) throws RocksDBException;
    }

    /** Fills in options and returns them. If the text is not understood, closes them and returns null. */
    private static <O extends RocksObject> O load(ConfigOptions config, String sections, O options, Copy<O> copy) {
        boolean isLoaded = false;
        try {
            boolean ignore = config != null && config.state_.ignoresUnknown;
            load((VERSION + sections).getBytes(UTF_8), ignore, stored -> copy.to(stored, options));
            isLoaded = true;
            return options;
        } catch (RocksDBException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!isLoaded) {
                options.close();
            }
        }
    }

    private static String lines(Properties properties) {
        requireSome(properties);
        StringBuilder text = new StringBuilder();
        for (String name : properties.stringPropertyNames()) {
            text.append(name).append('=').append(properties.getProperty(name)).append('\n');
        }
        return text.toString();
    }

    private static void requireSome(Properties properties) {
        if (properties == null || properties.isEmpty()) {
            throw new IllegalArgumentException("Properties value must contain at least one value.");
        }
    }
}
