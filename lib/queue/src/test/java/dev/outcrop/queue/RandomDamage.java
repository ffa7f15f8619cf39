package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.repair.GroupCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Damages the files of a closed queue as disks, restored backups and people do. */
final class RandomDamage {
    private final Path directory;
    private final SplittableRandom random;
    private final List<String> done = new ArrayList<>();

    RandomDamage(Path directory, SplittableRandom random) {
        this.directory = directory;
        this.random = random;
    }

    /** Damages the files one to four times. Returns a description. */
    List<String> run() throws IOException {
        for (int i = 1 + (random.nextInt(2) == 0 ? random.nextInt(5) : 0); i > 0; i--) {
            damage();
        }
        return done;
    }

    private void damage() throws IOException {
        List<Path> segments = QueueDirectory.segments(directory);
        if (segments.isEmpty()) {
            return;
        }
        Path any = any(segments);
        switch (random.nextInt(14)) {
            case 0 -> flip(any, 0, Files.size(any));
            case 1 -> run(any, 0, Files.size(any), 3000);
            case 2 -> flip(any, 0, QueueLayout.HEADER);
            case 3 -> run(any, 0, 4L * QueueLayout.HEADER, 300);
            case 4 -> flip(any, end(any) - 300, end(any) + 30);
            case 5 -> run(any, end(any) - 300, end(any) + 30, 300);
            case 6 -> resize(any);
            case 7 -> {
                Files.deleteIfExists(any);
                done.add("deleted " + any.getFileName());
            }
            case 8 -> swap(any, any(segments));
            case 9 -> rename(any);
            case 10 -> copyOver(any, any(segments));
            case 11 -> misplace(any);
            case 12 -> damageFew(directory.resolve(QueueFile.NAME));
            default -> {
                List<Path> groups = GroupCheck.files(directory);
                damageFew(groups.isEmpty() ? directory.resolve(QueueFile.NAME) : any(groups));
            }
        }
    }

    private Path any(List<Path> paths) {
        return paths.get(random.nextInt(paths.size()));
    }

    /** Behind the last byte that is not 0. */
    private static long end(Path file) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private void damageFew(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> flip(file, (long) random.nextInt(2) * QueueLayout.SLOT, QueueLayout.PAGE / 4);
            case 3 -> run(file, (long) random.nextInt(2) * QueueLayout.SLOT, QueueLayout.PAGE, 700);
            case 4 -> resize(file);
            default -> {
                Files.delete(file);
                done.add("deleted " + file.getFileName());
            }
        }
    }

    private void flip(Path file, long from, long to) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length == 0) {
            return;
        }
        int at = within(bytes, from, to);
        int bit = random.nextInt(8);
        bytes[at] ^= (byte) (1 << bit);
        write(file, bytes, "flipped bit " + bit + " of byte " + at);
    }

    /** Zeros, ones, or noise. */
    private void run(Path file, long from, long to, int longest) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length == 0) {
            return;
        }
        int at = within(bytes, from, to);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(longest));
        int with = random.nextInt(3);
        for (int i = at; i < end; i++) {
            bytes[i] = with == 0 ? 0 : with == 1 ? -1 : (byte) random.nextInt();
        }
        write(file, bytes,
                "wrote " + (with == 0 ? "zeros" : with == 1 ? "ones" : "noise") + " from " + at + " to " + end);
    }

    private int within(byte[] bytes, long from, long to) {
        long first = Math.clamp(from, 0, bytes.length - 1L);
        return (int) (first + random.nextLong(Math.max(1, Math.min(to, bytes.length) - first)));
    }

    private void write(Path file, byte[] bytes, String what) throws IOException {
        // In place, as a disk would.
        Files.write(file, bytes, StandardOpenOption.WRITE);
        done.add(what + " of " + file.getFileName());
    }

    private void resize(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int size = random.nextInt(3) == 0 ? bytes.length + 1 + random.nextInt(5000) : random.nextInt(bytes.length + 1);
        Files.write(file, Arrays.copyOf(bytes, size));
        done.add("made " + file.getFileName() + " " + size + " bytes long");
    }

    private void swap(Path one, Path other) throws IOException {
        if (!one.equals(other) && Files.exists(one) && Files.exists(other)) {
            Path aside = directory.resolve("aside");
            Files.move(one, aside);
            Files.move(other, one);
            Files.move(aside, other);
            done.add("swapped " + one.getFileName() + " and " + other.getFileName());
        }
    }

    private void rename(Path file) throws IOException {
        long offset = Math.max(0, QueueDirectory.offset(file) + random.nextInt(-60, 60));
        Path to = QueueDirectory.segment(directory, offset);
        if (Files.exists(file) && !Files.exists(to)) {
            if (random.nextBoolean()) {
                Files.move(file, to);
                done.add("renamed " + file.getFileName() + " to " + to.getFileName());
            } else {
                Files.copy(file, to);
                done.add("copied " + file.getFileName() + " to " + to.getFileName());
            }
        }
    }

    private void copyOver(Path from, Path to) throws IOException {
        if (!from.equals(to) && Files.exists(from)) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            done.add("copied " + from.getFileName() + " over " + to.getFileName());
        }
    }

    /** A block that was written to a wrong place of the same file, or to a wrong file. */
    private void misplace(Path file) throws IOException {
        List<Path> segments = QueueDirectory.segments(directory);
        if (segments.isEmpty() || !Files.exists(file)) {
            return;
        }
        Path source = random.nextBoolean() ? file : any(segments);
        byte[] from = Files.readAllBytes(source);
        byte[] to = Files.readAllBytes(file);
        int unit = random.nextBoolean() ? 512 : 8;
        int length = unit * (1 + random.nextInt(unit == 8 ? 100 : 4));
        int least = Math.min(from.length, to.length) - length;
        if (least <= 0) {
            return;
        }
        int at = random.nextInt(least) / unit * unit;
        int target = random.nextInt(least) / unit * unit;
        System.arraycopy(from, at, to, target, length);
        write(file, to, "wrote " + length + " bytes from " + at + " of " + source.getFileName() + " at " + target);
    }
}
