package dev.outcrop.programs;

import dev.outcrop.memory.NativeLibraries;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Loads librocksdb and prints where from, or why not. An argument is a jar for the context class loader.
 */
public final class LoadRocksdb {
    private LoadRocksdb() {
    }

    static void main(String[] arguments) throws MalformedURLException {
        for (String argument : arguments) {
            URL[] jar = {Path.of(argument).toUri().toURL()};
            Thread.currentThread().setContextClassLoader(new URLClassLoader(jar, null));
        }
        print();
    }

    private static void print() {
        String first = load();
        // Both a success and a failure must look the same the second time.
        System.out.println(first.equals(load()) ? first : "not the same again: " + first);
    }

    private static String load() {
        try {
            boolean works = NativeLibraries.rocksdb().find("getpid").isPresent();
            return "loaded " + NativeLibraries.rocksdbPath() + (works ? " with symbols" : " without symbols");
        } catch (UnsatisfiedLinkError | IllegalStateException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }
}
