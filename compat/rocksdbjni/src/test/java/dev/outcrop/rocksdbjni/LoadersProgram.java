package dev.outcrop.rocksdbjni;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Makes {@link NamesReport} in several class loaders at once: the arguments are a directory, and a class path for each. Prints whether all
 * reports are the same, and how many libraries of RocksDB the process has loaded.
 */
final class LoadersProgram {

    private LoadersProgram() {
    }

    static void main(String[] arguments) throws Exception {
        List<Future<Map<String, String>>> reports = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 1; i < arguments.length; i++) {
                Path directory = Path.of(arguments[0], "loader-" + i);
                String classPath = arguments[i];
                reports.add(threads.submit(() -> report(classPath, directory)));
            }
        }
        Set<Map<String, String>> different = new HashSet<>();
        for (Future<Map<String, String>> report : reports) {
            different.add(report.get());
        }
        System.out.println(reports.size() + " reports, " + different.size() + " different");
        Set<String> inodes = new HashSet<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains("librocksdb")) {
                inodes.add(line.split(" +", -1)[4]);
            }
        }
        System.out.println(inodes.size() + " libraries");
    }

    @SuppressWarnings("unchecked") // as the method declares
    private static Map<String, String> report(String classPath, Path directory) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        // Not closed: its threads may still need classes.
        URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        Method method = loader.loadClass(NamesReport.class.getName()).getDeclaredMethod("brief", Path.class);
        method.setAccessible(true);
        return (Map<String, String>) method.invoke(null, directory);
    }
}
