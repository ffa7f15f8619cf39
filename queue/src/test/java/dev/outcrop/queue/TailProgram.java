package dev.outcrop.queue;

import java.nio.file.Path;

/**
 * Tails a queue. Says "open", and for each line with a number reads so many records and says the offset of the last one. An empty line, or the end
 * of its input, ends it. Argument: directory.
 */
final class TailProgram {
    private TailProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        try (Tailer tailer = Tailer.open(Path.of(arguments[0]))) {
            System.out.println("open");
            String line = readLine();
            while (!line.isEmpty()) {
                long last = -1;
                for (int i = Integer.parseInt(line); i > 0 && tailer.poll(); i--) {
                    Payload.of(tailer.segment());
                    last = tailer.offset();
                }
                System.out.println(last);
                line = readLine();
            }
        }
    }

    private static String readLine() throws Exception {
        StringBuilder line = new StringBuilder();
        for (int read = System.in.read(); read >= ' '; read = System.in.read()) {
            line.append((char) read);
        }
        return line.toString();
    }
}
