package dev.outcrop.jcstress;

import java.io.File;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * Runs jcstress with its own options, and ends with an error if a test failed or did not run; jcstress alone would let the second
 * pass. It does not run a test that has more actors than the machine has processors, so each has two.
 */
final class StressTests {
    private StressTests() {
    }

    static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments);
        if (!options.parse()) {
            System.exit(2);
        }
        JCStress jcstress = new JCStress(options);
        if (jcstress.getTests().isEmpty()) {
            throw new AssertionError("No test matches the options " + String.join(" ", arguments));
        }
        // Throws an AssertionError after a forbidden outcome, a timeout, or a crash of the JVM.
        jcstress.run();
        Collection<TestResult> results = results(options.getResultFile());
        for (TestResult result : results) {
            if (result.status() != Status.NORMAL) {
                throw new AssertionError(
                        result.getName() + " ended with " + result.status() + ": " + result.getMessages());
            }
        }
        Set<String> missing = new TreeSet<>(jcstress.getTests());
        missing.removeAll(results.stream().map(TestResult::getName).collect(Collectors.toSet()));
        if (!missing.isEmpty()) {
            throw new AssertionError("Did not run: " + missing + ". jcstress has " + options.getCPUCount()
                    + " processors here; a test needs one for each actor");
        }
    }

    private static Collection<TestResult> results(String file) throws Exception {
        if (!new File(file).exists()) {
            // Nothing ran; jcstress has printed the reason.
            return List.of();
        }
        InProcessCollector results = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(file, results);
        try {
            reader.dump();
        } finally {
            reader.close();
        }
        return results.getTestResults();
    }
}
