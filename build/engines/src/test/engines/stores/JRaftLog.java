import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** JRaft's storage of its log: entries of data and of configurations, appended, and cut off at both ends. */
final class JRaftLog {

    private JRaftLog() {
    }

    static void run(Path directory) throws Exception {
        boolean exists = Files.exists(directory);
        Files.createDirectories(directory);
        if (!exists) {
            RocksDBLogStorage log = open(directory);
            for (int i = 1; i <= 500; i++) {
                log.appendEntry(entry(i, 1));
            }
            List<LogEntry> entries = new ArrayList<>();
            for (int i = 501; i <= 2000; i++) {
                entries.add(entry(i, 2));
            }
            StoresProgram.tell("appended " + log.appendEntries(entries));
            StoresProgram.tell("cut off " + log.truncatePrefix(301) + " " + log.truncateSuffix(1800));
            StoresProgram.tell("again " + log.appendEntry(entry(1801, 3)));
            tell("filled", log);
            log.shutdown();
        }
        RocksDBLogStorage log = open(directory);
        tell("opened", log);
        log.shutdown();
        RocksDBLogStorage other = open(directory.resolve("other"));
        other.appendEntry(entry(1, 1));
        StoresProgram.tell("reset " + other.reset(5000) + " " + other.appendEntry(entry(5000, 4)));
        tell("reset", other);
        other.shutdown();
    }

    private static RocksDBLogStorage open(Path directory) {
        RocksDBLogStorage log = new RocksDBLogStorage(directory.toString(), new RaftOptions());
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId("group");
        options.setConfigurationManager(new ConfigurationManager());
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        if (!log.init(options)) {
            throw new IllegalStateException("The log cannot be opened");
        }
        return log;
    }

    private static LogEntry entry(long index, long term) {
        LogEntry entry = new LogEntry(
                index % 100 == 0 ? EntryType.ENTRY_TYPE_CONFIGURATION : EntryType.ENTRY_TYPE_DATA);
        entry.setId(new LogId(index, term));
        if (index % 100 == 0) {
            entry.setPeers(List.of(new PeerId("127.0.0.1", (int) index), new PeerId("127.0.0.2", 1)));
        } else {
            entry.setData(ByteBuffer.wrap(("entry " + index).repeat((int) (index % 7 + 1)).getBytes()));
        }
        return entry;
    }

    private static void tell(String what, RocksDBLogStorage log) {
        long first = log.getFirstLogIndex();
        long last = log.getLastLogIndex();
        StringBuilder all = new StringBuilder();
        for (long i = Math.max(1, first - 5); i <= last + 5; i++) {
            LogEntry entry = log.getEntry(i);
            all.append(i).append(' ').append(log.getTerm(i)).append(' ');
            if (entry != null) {
                all.append(entry.getType()).append(entry.getId()).append(entry.getPeers()).append(entry.checksum());
            }
        }
        StoresProgram.tell(what + " " + first + " to " + last + " " + all.toString().hashCode());
    }
}
