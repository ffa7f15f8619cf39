package dev.outcrop.rocksdbjni;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.RocksDB;
import org.rocksdb.util.BufferUtil;
import org.rocksdb.util.ByteUtil;
import org.rocksdb.util.Environment;

/** Prints the results of the utilities. */
final class UtilitiesReport {

    private final Map<String, String> lines = new TreeMap<>();

    private UtilitiesReport() {
    }

    static Map<String, String> report() throws ReflectiveOperationException {
        UtilitiesReport report = new UtilitiesReport();
        report.environment();
        report.bytes();
        RocksDB.loadLibrary();
        report.lines.put("version", RocksDB.rocksdbVersion() + " " + RocksDB.rocksdbVersion().getMajor() + " "
                + new RocksDB.Version((byte) 1, (byte) 2, (byte) 200).getPatch());
        return report.lines;
    }

    private void environment() throws ReflectiveOperationException {
        for (Method method : Environment.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers())) {
                Object[] arguments = method.getParameterCount() == 0 ? new Object[0] : new Object[]{"rocksdb"};
                try {
                    lines.put(method.getName(), String.valueOf(method.invoke(null, arguments)));
                } catch (InvocationTargetException e) {
                    lines.put(method.getName(), String.valueOf(e.getCause()));
                }
            }
        }
    }

    private void bytes() {
        for (int[] range : new int[][]{{0, 0, 0}, {1, 1, 2}, {1, 2, 2}, {-1, 2, 2}, {Integer.MAX_VALUE, 2, 2},
                {0, -1, 2}}) {
            String key = "bounds " + range[0] + " " + range[1] + " " + range[2];
            try {
                BufferUtil.CheckBounds(range[0], range[1], range[2]);
                lines.put(key, "fits");
            } catch (IndexOutOfBoundsException e) {
                lines.put(key, e.toString());
            }
        }
        ByteBuffer x = ByteBuffer.wrap(new byte[]{1, 2, (byte) 200}).position(1);
        ByteBuffer y = ByteBuffer.wrap(new byte[]{1, 2, 100});
        for (int count = 0; count <= 3; count++) {
            lines.put("compared " + count, ByteUtil.memcmp(x, y, count) + " " + ByteUtil.memcmp(y, x, count));
        }
        lines.put("bytes", ByteUtil.bytes("ä").length + "");
    }
}
