package dev.outcrop.rocksdbjni;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TickerType;

/** The operations of a {@link DifferentialProgram} on files beside the database and on options of an open one. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialFiles {

    private final DifferentialWorld world;
    private final DifferentialTranscript transcript;
    private int number;

    DifferentialFiles(DifferentialWorld world) {
        this.world = world;
        this.transcript = world.transcript;
    }

    void one(Random random) {
        switch (random.nextInt(8)) {
            case 0 -> checkpoint();
            case 1, 2 -> ingest(random);
            case 3 -> optionsFile();
            case 4 -> setOptions(random);
            case 5 -> statistics();
            case 6 -> transcript.call("RocksDB.listColumnFamilies(Options, String)", () -> {
                try (Options options = new Options()) {
                    return RocksDB.listColumnFamilies(options, world.path.toString());
                }
            });
            default -> liveFiles();
        }
    }

    private void checkpoint() {
        String copy = world.directory.resolve("checkpoint" + number++).toString();
        transcript.call("Checkpoint.createCheckpoint(String)", () -> {
            try (Checkpoint checkpoint = Checkpoint.create(world.database)) {
                checkpoint.createCheckpoint(copy);
            }
            try (Options options = new Options()) {
                return RocksDB.listColumnFamilies(options, copy);
            }
        });
    }

    /** Writes a table, reads it, and takes it in. */
    private void ingest(Random random) {
        String file = world.directory.resolve("table" + number++).toString();
        TreeMap<String, byte[]> entries = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            entries.put("a" + (char) ('k' + random.nextInt(4)) + random.nextInt(4),
                    DifferentialArguments.value(random));
        }
        transcript.call("SstFileWriter", () -> {
            try (Options options = new Options();
                    EnvOptions env = new EnvOptions();
                    SstFileWriter writer = new SstFileWriter(env, options)) {
                writer.open(file);
                for (var entry : entries.entrySet()) {
                    writer.put(entry.getKey().getBytes(StandardCharsets.UTF_8), entry.getValue());
                }
                writer.finish();
                return null;
            }
        });
        transcript.call("SstFileReader", () -> {
            List<byte[]> found = new ArrayList<>();
            try (Options options = new Options();
                    ReadOptions read = new ReadOptions();
                    SstFileReader reader = new SstFileReader(options)) {
                reader.open(file);
                reader.verifyChecksum();
                try (SstFileReaderIterator iterator = reader.newIterator(read)) {
                    for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                        found.add(iterator.key());
                        found.add(iterator.value());
                    }
                }
                found.add(Long.toString(reader.getTableProperties().getNumEntries()).getBytes(StandardCharsets.UTF_8));
            }
            return found;
        });
        transcript.call("RocksDB.ingestExternalFile(List, IngestExternalFileOptions)", () -> {
            try (IngestExternalFileOptions options = new IngestExternalFileOptions().setMoveFiles(false)) {
                world.database.ingestExternalFile(List.of(file), options);
                return null;
            }
        });
    }

    private void optionsFile() {
        transcript.call("OptionsUtil.loadLatestOptions(ConfigOptions, String, DBOptions, List)", () -> {
            List<ColumnFamilyDescriptor> families = new ArrayList<>();
            List<Object> found = new ArrayList<>();
            try (ConfigOptions config = new ConfigOptions(); DBOptions options = new DBOptions()) {
                OptionsUtil.loadLatestOptions(config, world.path.toString(), options, families);
                found.add(options.maxOpenFiles());
                found.add(options.statsDumpPeriodSec());
                for (ColumnFamilyDescriptor family : families) {
                    found.add(family.getName());
                    found.add(family.getOptions().disableAutoCompactions());
                    found.add(family.getOptions().minBlobSize());
                    family.getOptions().close();
                }
            }
            return found;
        });
    }

    private void setOptions(Random random) {
        if (world.form.isForReading()) {
            return;
        }
        int size = 1 + random.nextInt(100);
        transcript.call("RocksDB.setOptions(ColumnFamilyHandle, MutableColumnFamilyOptions)", () -> {
            world.database.setOptions(world.anyFamily(random),
                    MutableColumnFamilyOptions.builder().setMinBlobSize(size).setWriteBufferSize(size << 20).build());
            return null;
        });
        transcript.call("RocksDB.setDBOptions(MutableDBOptions)", () -> {
            world.database.setDBOptions(MutableDBOptions.builder().setMaxTotalWalSize(size << 20).build());
            return null;
        });
        transcript.call("RocksDB.getOptions()", () -> world.database.getOptions().writeBufferSize());
        transcript.call("RocksDB.getDBOptions()", () -> world.database.getDBOptions().maxTotalWalSize());
    }

    private void statistics() {
        if (world.statistics != null) {
            for (TickerType ticker : List.of(TickerType.NUMBER_KEYS_WRITTEN, TickerType.NUMBER_KEYS_READ,
                    TickerType.BYTES_WRITTEN, TickerType.BYTES_READ, TickerType.NUMBER_DB_SEEK,
                    TickerType.NUMBER_DB_NEXT, TickerType.NUMBER_MULTIGET_CALLS, TickerType.WRITE_WITH_WAL)) {
                if ((!world.countsReadsAlike && ticker.name().matches(".*_READ|.*_MULTIGET_.*"))
                        || (!world.countsStepsAlike && ticker == TickerType.NUMBER_DB_NEXT)) {
                    continue;
                }
                transcript.call("Statistics.getTickerCount(TickerType)", ticker.name(),
                        () -> world.statistics.getTickerCount(ticker), () -> "");
            }
        }
    }

    private void liveFiles() {
        if (world.form == DifferentialWorld.Form.LOCKING) {
            // Here this always flushes.
            return;
        }
        transcript.call("RocksDB.getLiveFiles(boolean)", () -> {
            RocksDB.LiveFiles live = world.database.getLiveFiles(false);
            return live.files.stream().map(name -> name.replaceAll("\\d+", "N")).sorted().toList();
        });
    }
}
