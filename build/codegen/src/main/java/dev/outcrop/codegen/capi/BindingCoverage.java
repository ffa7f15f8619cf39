package dev.outcrop.codegen.capi;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A program that finds the C functions that the Java API reaches. It writes the document about them, or checks that the document is up to
 * date.
 */
public final class BindingCoverage {

    /** The command that writes the document. */
    static final String REFRESH = "mvn process-classes -pl lib/rocksdb,compat/rocksdbjni -am -Doutcrop.coverage.write";

    private static final String API_PACKAGE = "dev/outcrop/rocksdb";
    private static final String CAPI = API_PACKAGE + "/engine/capi/CApi";

    private BindingCoverage() {
    }

    /**
     * Exits with 1, after a message for each fault, if the table of reasons is wrong or the document is stale.
     *
     * @param args {@code check} or {@code write}, the table of facts, the table of reasons, the directories of compiled classes as a class
     *             path, and the document
     * @throws IOException if one of these files cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 5 || !Set.of("check", "write").contains(args[0])) {
            System.err.println("usage: BindingCoverage check|write FACTS REASONS CLASSES DOCUMENT");
            System.exit(2);
        }
        List<String> faults = run(args[0].equals("write"), Path.of(args[1]), Path.of(args[2]), directories(args[3]),
                Path.of(args[4]));
        faults.forEach(System.err::println);
        if (!faults.isEmpty()) {
            System.exit(1);
        }
    }

    private static List<Path> directories(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator)).map(Path::of).toList();
    }

    /** Checks or writes, and returns a message for each fault. */
    static List<String> run(boolean write, Path table, Path reasons, List<Path> classes, Path document)
            throws IOException {
        Facts facts = Facts.read(table);
        Map<String, String> reached = CallGraph.reached(classes, API_PACKAGE, CAPI);
        reached.keySet().retainAll(facts.functions().keySet());
        NotReached notReached = NotReached.read(reasons);
        List<String> faults = new ArrayList<>();
        notReached.faults(new TreeSet<>(facts.functions().keySet()), reached.keySet())
                .forEach(fault -> faults.add(reasons.getFileName() + ": " + fault));
        String text = new BindingCoverageDocument(facts, reached, notReached).text();
        if (write) {
            Files.writeString(document, text);
        } else if (!Files.exists(document) || !Files.readString(document).equals(text)) {
            faults.add(document.getFileName() + " is stale; this writes it anew: " + REFRESH);
        }
        return faults;
    }
}
