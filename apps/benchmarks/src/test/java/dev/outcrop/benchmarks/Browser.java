package dev.outcrop.benchmarks;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A headless Chromium without network, by its DevTools protocol. It has one page, and keeps what goes wrong on it. */
final class Browser implements AutoCloseable {
    private static final String LISTENING = "DevTools listening on ";

    private final List<String> errors = new ArrayList<>();
    private final BlockingQueue<Map<String, Object>> messages = new LinkedBlockingQueue<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private String session = "";
    private int last;

    /** Returns the browser that is installed. */
    static Optional<Path> find() {
        List<String> directories = List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
        return List.of("chromium", "chromium-browser", "google-chrome", "chrome").stream()
                .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable).findFirst();
    }

    /** Starts a browser, with a directory that it may fill. */
    Browser(Path program, Path profile) throws IOException {
        this.profile = profile;
        List<String> command = new ArrayList<>(List.of(program.toString(), "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
                "--disable-background-networking", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND"));
        if (System.getProperty("user.name").equals("root")) {
            // It refuses to run as root within its sandbox. The page is ours.
            command.add("--no-sandbox");
        }
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader lines = process.inputReader();
        List<String> said = new ArrayList<>();
        String line = lines.readLine();
        while (line != null && !line.startsWith(LISTENING)) {
            said.add(line);
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException(program + " did not start: " + said);
        }
        // Or it would wait for a reader some time.
        Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(_ -> {
        }));
        socket = client.newWebSocketBuilder().buildAsync(URI.create(line.substring(LISTENING.length())), new Listener())
                .join();
        String target = text(send("Target.createTarget", Map.of("url", "about:blank")), "targetId");
        session = text(send("Target.attachToTarget", Map.of("targetId", target, "flatten", true)), "sessionId");
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            send(domain + ".enable", Map.of());
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
            message.append(data);
            if (isLast) {
                try {
                    messages.add(JSON.std.mapFrom(message.toString()));
                } catch (IOException e) {
                    errors.add("not understood: " + message);
                }
                message.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private static Map<String, Object> object(Map<String, Object> in, String name) {
        return RecordedReport.object(in.get(name));
    }

    private static String text(Map<String, Object> in, String name) {
        return String.valueOf(Objects.requireNonNull(in.get(name), name));
    }

    private Map<String, Object> next() {
        try {
            Map<String, Object> message = messages.poll(ChildJvm.MOST_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new IllegalStateException("The browser says nothing");
            }
            note(message);
            return message;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Keeps errors, and requests for anything but files. */
    private void note(Map<String, Object> message) {
        switch (String.valueOf(message.get("method"))) {
            case "Log.entryAdded", "Runtime.exceptionThrown" -> errors.add(message.toString());
            case "Runtime.consoleAPICalled" -> errors.add(message.toString());
            case "Network.requestWillBeSent" -> {
                String url = text(object(object(message, "params"), "request"), "url");
                if (!url.startsWith("file:")) {
                    errors.add("requested " + url);
                }
            }
            default -> {
                // Something else has happened.
            }
        }
    }

    /** Sends a command and returns its result. */
    Map<String, Object> send(String method, Map<String, Object> parameters) {
        int id = ++last;
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        try {
            socket.sendText(JSON.std.asString(message), true).join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        while (true) {
            Map<String, Object> answer = next();
            if (Objects.equals(answer.get("id"), id)) {
                if (answer.containsKey("error")) {
                    throw new IllegalStateException(method + ": " + answer.get("error"));
                }
                return object(answer, "result");
            }
        }
    }

    /** Shows a file in a window of this width, as the user likes it: light or dark, on the screen or on paper. */
    void show(Path page, int width, String scheme, String media) {
        send("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
        send("Emulation.setEmulatedMedia", Map.of("media", media, "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        send("Page.navigate", Map.of("url", page.toUri().toString()));
        while (!"Page.loadEventFired".equals(next().get("method"))) {
            // The page is still loading.
        }
    }

    /** Returns the value of an expression in the page. */
    Object evaluate(String expression) {
        Map<String, Object> answer = send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        if (answer.containsKey("exceptionDetails")) {
            throw new IllegalStateException(String.valueOf(answer.get("exceptionDetails")));
        }
        return Objects.requireNonNull(object(answer, "result").get("value"), expression);
    }

    /** Writes a picture of the whole page. */
    void picture(Path file) throws IOException {
        Map<String, Object> size = object(send("Page.getLayoutMetrics", Map.of()), "cssContentSize");
        Map<String, Object> clip = Map.of("x", 0, "y", 0, "width", Objects.requireNonNull(size.get("width")), "height",
                Objects.requireNonNull(size.get("height")), "scale", 1);
        Files.write(file, Base64.getDecoder().decode(text(send("Page.captureScreenshot",
                Map.of("format", "png", "captureBeyondViewport", true, "clip", clip)), "data")));
    }

    /** Returns the page as it is printed. */
    byte[] pdf() {
        return Base64.getDecoder().decode(text(send("Page.printToPDF", Map.of("printBackground", true)), "data"));
    }

    /** Returns what went wrong on the page, in the words of the protocol. */
    List<String> errors() {
        // All messages before its answer have come then.
        send("Runtime.evaluate", Map.of("expression", "0"));
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        ProcessHandle[] children = process.descendants().toArray(ProcessHandle[]::new);
        process.destroy();
        process.onExit().join();
        // Files that they write meanwhile would keep the directory from being deleted.
        Arrays.stream(children).forEach(child -> {
            child.destroyForcibly();
            child.onExit().join();
        });
        Directories.delete(profile);
    }
}
