package dev.outcrop.queue;

import java.nio.file.Path;

/**
 * Tails a queue. Says "open", and for each line with a number reads so many records and says the offset of the last one. An empty line, or
 * the end of its input, ends it. Arguments: directory, and perhaps a name, for which it commits what it has read.
 */
final class TailProgram {
    public static void main(String[] arguments) throws Exception {
        Path queue = Path.of(arguments[0]);
        boolean isNamed = arguments.length > 1;
        try (Tailer tailer = isNamed ? Tailer.open(queue, arguments[1]) : Tailer.open(queue)) {
            System.out.println("open");
            String line = readLine();
            while (!line.isEmpty()) {
                long last = -1;
                for (int i = Integer.parseInt(line); i > 0 && tailer.poll(); i--) {
                    Payloads.intact(tailer.segment());
                    last = tailer.offset();
                }
                if (isNamed) {
                    tailer.commit();
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
