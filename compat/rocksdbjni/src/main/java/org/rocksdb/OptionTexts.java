package org.rocksdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options from texts. RocksDB reads them from a temporary file. */
final class OptionTexts {

    /** A version later than any release: RocksDB skips unknown options only in files of later versions. */
    private static final String VERSION = "[Version]\nrocksdb_version=999.0.0\noptions_file_version=1.1\n";

    /** The rate of a limiter that RocksDB makes of a text. The letter of a unit may follow. */
    private static final Pattern RATE = Pattern
            .compile("^\\s*rate_limiter_bytes_per_sec\\s*=\\s*([+-]?\\d+)([kKmMgGtT]?)", Pattern.MULTILINE);
    /** RocksDB gives out a tenth of the rate in each tenth of a second, and divides by it. */
    private static final long LEAST_RATE = 10;

    private OptionTexts() {
    }

    /** Refuses rates with which RocksDB would end the process or never write a byte; a negative rate is no limit. */
    private static void requireRate(String text) {
        Matcher rate = RATE.matcher(text);
        while (rate.find()) {
            int unit = " kmgt".indexOf(rate.group(2).toLowerCase(Locale.ROOT));
            // RocksDB multiplies in 64 bits too.
            long value = new BigInteger(rate.group(1)).shiftLeft(10 * unit).longValue();
            if (value >= 0 && value < LEAST_RATE) {
                throw new IllegalArgumentException("rate_limiter_bytes_per_sec must be at least " + LEAST_RATE
                        + ", or negative for no limit, not " + value + ": writes would wait forever");
            }
        }
    }

    /** Code that uses the options that were read. */
    interface Use {
        void with(StoredOptions stored) throws RocksDBException;
    }

    static void load(byte[] text, boolean ignoreUnknown, Use use) throws RocksDBException, IOException {
        requireRate(new String(text, ISO_8859_1));
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
