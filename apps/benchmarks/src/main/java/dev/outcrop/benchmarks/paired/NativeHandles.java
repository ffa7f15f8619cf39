package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Objects;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Finds the native objects behind our objects, which no API returns, and makes rocksdbjni's objects for the same native objects. Reflection
 * on either library happens only here, and never on a measured path.
 */
public final class NativeHandles {
    private NativeHandles() {
    }

    /** Lets C functions work on an open database. */
    public static void lend(RocksDB db, CFunctions functions) {
        functions.use(database(db), db.columnFamilies().stream().map(NativeHandles::family).toList());
    }

    /** Returns the {@code rocksdb_t *} of an open database. */
    private static long database(RocksDB db) {
        return (long) field(field(db, "database"), "db");
    }

    /** Returns the {@code rocksdb_column_family_handle_t *} of a column family. */
    private static long family(ColumnFamily family) {
        return (long) field(field(family, "family"), "handle");
    }

    /** Returns the same open database as an object of rocksdbjni, which never closes it. */
    static org.rocksdb.RocksDB rocksJava(RocksDB db) {
        return RocksJavaDatabase.borrow(database(db));
    }

    /** Returns the same column family as an object of rocksdbjni, which must not be closed. */
    static ColumnFamilyHandle rocksJava(org.rocksdb.RocksDB parent, ColumnFamily family) {
        try {
            Constructor<ColumnFamilyHandle> constructor = ColumnFamilyHandle.class
                    .getDeclaredConstructor(org.rocksdb.RocksDB.class, long.class);
            constructor.setAccessible(true);
            return constructor.newInstance(parent, RocksJavaDatabase.cppObject(family(family)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This rocksdbjni makes its column families in another way", e);
        }
    }

    /** Returns the value of a field of the object's class or of a superclass. */
    private static Object field(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return value(field, object);
                }
            }
        }
        throw new IllegalStateException(object.getClass() + " no longer has a field " + name);
    }

    private static Object value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return Objects.requireNonNull(field.get(object), field.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot read " + field, e);
        }
    }
}
