package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.RocksDB;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop db families}. */
@Command(name = "families", description = {"List the column families.", "Also of a database that cannot be opened.",
        ""}, footer = {"",
                "  ./outcrop db families data"})
final class FamiliesCommand extends DatabaseAction {
    @Option(names = "--json", description = "As a JSON array.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) {
        OpenDatabase.requireDatabase(directory());
        Set<String> families = new TreeSet<>(RocksDB.listColumnFamilies(directory()));
        if (json) {
            out.println(Json.line(families.stream().map(FamilyOption::inJson).toList()));
        } else {
            families.stream().map(FamilyOption::shown).forEach(out::println);
        }
        return 0;
    }
}
