package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The program for the document that lists the supported methods of {@code org.rocksdb}. */
public final class OrgRocksdbCoverage {

    private OrgRocksdbCoverage() {
    }

    /**
     * Writes the document, or checks that it is up to date.
     *
     * @param args {@code check} or {@code write}, the directory of the compiled classes, and the document
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3 || !args[0].matches("check|write")) {
            System.err.println("usage: OrgRocksdbCoverage check|write CLASSES DOCUMENT");
            System.exit(2);
        }
        Path document = Path.of(args[2]);
        Map<String, CoveredClass> covered = CoveredClass.read(Path.of(args[1]));
        String text = OrgRocksdbCoverageDocument.text(covered.values());
        if (args[0].equals("write")) {
            Files.writeString(document, text);
        } else if (!Files.exists(document) || !Files.readString(document).equals(text)) {
            System.err.println(
                    document + " is not up to date. Write it with mvn process-classes -pl lib/rocksdb,compat/rocksdbjni -am"
                            + " -Doutcrop.coverage.write");
            System.exit(1);
        }
    }
}
