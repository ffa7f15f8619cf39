package dev.outcrop.rocksdbjni;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a trace in one class loader after another, twice in each: the arguments are a directory, and a class path for each. Prints what comes
 * of it.
 */
final class CallbackLoadersProgram {

    private CallbackLoadersProgram() {
    }

    static void main(String[] arguments) throws Exception {
        for (int i = 1; i < arguments.length; i++) {
            List<URL> urls = new ArrayList<>();
            for (String entry : arguments[i].split(File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            // Not closed: its threads may still need classes.
            URLClassLoader loader = new URLClassLoader("loader " + i, urls.toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
            Thread.currentThread().setContextClassLoader(loader);
            Method load = loader.loadClass("org.rocksdb.RocksDB").getMethod("loadLibrary");
            load.invoke(null);
            Method method = loader.loadClass(TracesReport.class.getName()).getDeclaredMethod("brief", Path.class);
            method.setAccessible(true);
            for (int time = 1; time <= 2; time++) {
                System.out.println(method.invoke(null, Path.of(arguments[0], "loader-" + i + "-" + time)));
            }
        }
    }
}
