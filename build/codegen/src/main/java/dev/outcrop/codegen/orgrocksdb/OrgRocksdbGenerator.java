package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that writes the sources of all classes without a hand-written source. */
public final class OrgRocksdbGenerator {

    private OrgRocksdbGenerator() {
    }

    /**
     * Writes the sources. Leaves unchanged files alone, so that they are not compiled again.
     *
     * @param args the table of published signatures, the mapping, the table of the C API, the list of native methods, the directory of the
     *             hand-written sources, the directory for the generated sources, and the file for the implementation of each member
     * @throws IOException if a table cannot be read or a source cannot be written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 7) {
            System.err.println(
                    "usage: OrgRocksdbGenerator TABLE MAPPING C-TABLE NATIVES HAND-WRITTEN GENERATED HOW");
            System.exit(2);
        }
        Table table = Table.read(Path.of(args[0]));
        Mapping mapping = Mapping.read(Path.of(args[1]));
        OptionRule options = new OptionRule(table, CTable.read(Path.of(args[2])), mapping);
        NativeTable natives = NativeTable.read(Path.of(args[3]));
        NativeRule nativeRule = new NativeRule(natives, mapping, table);
        List<String> how = new ArrayList<>();
        for (Table.JavaType type : table.types().values()) {
            Path file = Path.of(type.name() + ".java");
            if (type.isNested()) {
                continue;
            }
            Path generated = Path.of(args[5]).resolve(file);
            if (Files.exists(Path.of(args[4]).resolve(file))) {
                Files.deleteIfExists(generated);
            } else {
                write(generated, new ClassSource(table, mapping, options, nativeRule, natives, how, type).file());
            }
        }
        write(Path.of(args[6]), String.join("\n", how) + "\n");
    }

    private static void write(Path file, String text) throws IOException {
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
