package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.RocksDBException;

/** The lines of a report: the result of each call, or what it throws. */
final class ReportLines {

    private final Map<String, String> lines = new TreeMap<>();
    private final Path directory;

    ReportLines(Path directory) {
        this.directory = directory;
    }

    /** A call with a result, null if it has none. */
    interface Call {
        Object make() throws Exception;
    }

    /** A call without a result. */
    interface Action {
        void make() throws Exception;
    }

    void done(String name, Action action) {
        line(name, () -> {
            action.make();
            return "done";
        });
    }

    void line(String name, Call call) {
        String result;
        try {
            Object value = call.make();
            result = value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
        } catch (RocksDBException e) {
            result = "throws RocksDBException " + (e.getStatus() == null
                    ? "without status: " + e.getMessage()
                    : e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getStatus().getState());
        } catch (Exception | Error e) {
            result = "throws " + e.getClass().getName();
        }
        if (lines.put(name,
                result.replace('\n', ' ').replace('\t', ' ').replace(directory.toString(), "DIR")) != null) {
            throw new IllegalArgumentException("Two lines are named " + name);
        }
    }

    Map<String, String> all() {
        return lines;
    }
}
