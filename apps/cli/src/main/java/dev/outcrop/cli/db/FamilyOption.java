package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Encoding;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a column family. */
public final class FamilyOption {
    static final String DEFAULT = "default";

    @Option(names = {"-f", "--family"}, paramLabel = "NAME", description = "The column family.")
    private @Nullable String family;

    /**
     * Returns the name of the column family that was given, or of the default column family if none was given. The user may give a name as
     * {@link #shown} shows it, or unchanged if only that name exists.
     */
    public String name(Collection<String> existing) {
        return family == null ? DEFAULT : name(family, existing);
    }

    /** Returns the column family that was named, or the default column family. Fails if there is none. */
    public ColumnFamily of(RocksDB db) {
        List<String> existing = db.columnFamilies().stream().map(ColumnFamily::name).toList();
        String name = name(existing);
        ColumnFamily found = db.findColumnFamily(name);
        if (found == null) {
            throw new Failure("there is no column family '" + shown(name) + "' in " + db.path() + "; it has "
                    + existing.stream().map(FamilyOption::shown).collect(Collectors.joining(", ")));
        }
        return found;
    }

    /** Returns the column family that was named, or all of them. */
    List<ColumnFamily> orAllOf(RocksDB db) {
        return family == null ? db.columnFamilies() : List.of(of(db));
    }

    static String name(String given, Collection<String> existing) {
        if (given.indexOf(Encoding.REPLACEMENT) >= 0 && !existing.contains(given)) {
            throw new Failure(
                    "'" + given + "' has characters that this locale does not have; set LC_ALL=C.UTF-8, or give"
                            + " the bytes of the name as \\x and two hexadecimal digits each");
        }
        String meant;
        try {
            meant = ColumnFamily.nameOf(Encoding.TEXT.parse(given.getBytes(StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            return given; // The backslash stands for itself.
        }
        return existing.contains(given) && !existing.contains(meant) ? given : meant;
    }

    /**
     * Returns the name of a column family in the form in which a user can give it. It is plain text; a backslash, control characters and
     * bytes that are not UTF-8 have a backslash in front.
     */
    public static String shown(String name) {
        return Encoding.TEXT.format(ColumnFamily.bytesOf(name));
    }

    /** Returns the name of a column family for JSON. It is unchanged, or as {@link #shown} shows it if its bytes are not UTF-8. */
    static String inJson(String name) {
        return Encoding.isText(ColumnFamily.bytesOf(name)) ? name : shown(name);
    }
}
