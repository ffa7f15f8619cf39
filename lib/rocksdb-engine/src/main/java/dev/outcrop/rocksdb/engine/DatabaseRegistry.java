package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The databases of the process that are open, through either API. The first one registers the bean that shows what they hold. */
public final class DatabaseRegistry {
    /** The name of the bean. */
    public static final String BEAN = "dev.outcrop:type=NativeObjects";

    /** Whether the bean is wanted. It is not always made, because the JVM's bean server takes a tenth of a second to start. */
    private static final boolean HAS_BEAN = LeakDetector.isOn() || Boolean.getBoolean("outcrop.jmx");

    private static final Set<Database> ALL = Collections
            .synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    static {
        if (HAS_BEAN) {
            registerBean();
        }
    }

    private DatabaseRegistry() {
    }

    /** A database. It may be closed meanwhile. */
    public interface Database {
        /** Returns its directory. */
        String directory();

        /** Begins a use of the native database; null if it is closed. */
        @Nullable
        Scratch enterIfOpen();

        /** Returns the {@code rocksdb_t *}. */
        long handle();
    }

    /** Adds a database, which stays until it is closed or unreachable. */
    public static void add(Database database) {
        ALL.add(database);
    }

    /** Returns what each open database holds, in the order of their directories. */
    public static List<NativeObjectsMXBean.DatabaseMemory> memory() {
        List<Database> all;
        synchronized (ALL) {
            all = new ArrayList<>(ALL);
        }
        List<NativeObjectsMXBean.DatabaseMemory> rows = new ArrayList<>();
        for (Database each : all) {
            try (Scratch scratch = each.enterIfOpen()) {
                if (scratch == null) {
                    ALL.remove(each);
                } else {
                    rows.add(memory(scratch, each));
                }
            }
        }
        rows.sort(Comparator.comparing(NativeObjectsMXBean.DatabaseMemory::database));
        return rows;
    }

    private static NativeObjectsMXBean.DatabaseMemory memory(Scratch scratch, Database database) {
        NativeMemory used = NativeMemory.ofDatabase(scratch, database.handle());
        return new NativeObjectsMXBean.DatabaseMemory(database.directory(),
                number(scratch, database, "rocksdb.block-cache-usage"),
                number(scratch, database, "rocksdb.block-cache-pinned-usage"), used.memTables(),
                Math.max(0, used.memTables() - used.unflushedMemTables()), used.tableReaders(),
                number(scratch, database, "rocksdb.num-snapshots"));
    }

    private static long number(Scratch scratch, Database database, String property) {
        return number(scratch, database.handle(), property);
    }

    /** Returns a number about a database; 0 if there is none. */
    static long number(Scratch scratch, long db, String property) {
        int failed = CApi.rocksdb_property_int(db, NativeText.in(scratch, property), scratch.wordAddress(0));
        return failed == 0 ? scratch.word(0) : 0;
    }

    private static void registerBean() {
        try {
            ObjectName name = new ObjectName(BEAN);
            try {
                ManagementFactory.getPlatformMBeanServer().registerMBean(new NativeObjects(), name);
            } catch (InstanceAlreadyExistsException e) {
                // The bean of another class loader has this name. That class loader has its own objects.
                ManagementFactory.getPlatformMBeanServer().registerMBean(new NativeObjects(),
                        new ObjectName(BEAN + ",loader=" + System.identityHashCode(DatabaseRegistry.class)));
            }
        } catch (JMException | RuntimeException e) {
            System.getLogger("dev.outcrop.leaks").log(System.Logger.Level.WARNING,
                    "The bean " + BEAN + " cannot be registered", e);
        }
    }
}
