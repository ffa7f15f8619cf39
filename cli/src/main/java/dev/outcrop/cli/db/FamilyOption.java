package dev.outcrop.cli.db;

import dev.outcrop.cli.Failure;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a column family. */
public final class FamilyOption {
    static final String DEFAULT = "default";

    @Option(names = {"-f", "--family"}, paramLabel = "NAME", description = "The column family.")
    private @Nullable String family;

    /** For the command line parser. */
    public FamilyOption() {
    }

    /**
     * The name that was given.
     *
     * @return the one of the default column family if there is none
     */
    public String name() {
        return family == null ? DEFAULT : family;
    }

    /**
     * The column family that was named, or the default one.
     *
     * @param db the database that it is in
     * @return it
     * @throws Failure if there is none
     */
    public ColumnFamily of(RocksDB db) {
        return find(db, name());
    }

    /** The column family that was named, or all of them. */
    List<ColumnFamily> orAllOf(RocksDB db) {
        return family == null ? db.columnFamilies() : List.of(find(db, family));
    }

    private static ColumnFamily find(RocksDB db, String name) {
        ColumnFamily found = db.findColumnFamily(name);
        if (found == null) {
            throw new Failure("there is no column family '" + name + "' in " + db.path() + "; it has "
                    + db.columnFamilies().stream().map(ColumnFamily::name).collect(Collectors.joining(", ")));
        }
        return found;
    }
}
