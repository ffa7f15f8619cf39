package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which queue a program opens.
 *
 * @param side         whose
 * @param directory    where; deleted before and afterwards
 * @param payloadBytes size of every record, a multiple of 8
 * @param groups       how many groups read it
 * @param segmentBytes size of our files; Chronicle's are always larger than what is appended
 * @param isDurable    whether records are appended that must be on the disk
 */
record Setup(Side side, Path directory, int payloadBytes, int groups, long segmentBytes, boolean isDurable) {
    /** What ours has if nothing else is said. */
    static final long DEFAULT_SEGMENT = 64L << 20;

    /** The setup of this JVM. */
    static Setup current() {
        return new Setup(Side.valueOf(Settings.text("side")), Path.of(Settings.text("directory")),
                Settings.number("payloadBytes"), Settings.number("groups"),
                Long.parseLong(Settings.text("segmentBytes")), Settings.flag("durable"));
    }

    /** The same with records of another size. */
    Setup withPayload(int bytes) {
        return new Setup(side, directory, bytes, groups, segmentBytes, isDurable);
    }

    /** Arguments of a JVM that has this setup. */
    List<String> jvmArgs(Map<String, ?> settings) {
        List<String> arguments = new ArrayList<>(side.jvmArgs());
        arguments.add(Settings.define("side", side.name()));
        arguments.add(Settings.define("directory", directory));
        arguments.add(Settings.define("payloadBytes", payloadBytes));
        arguments.add(Settings.define("groups", groups));
        arguments.add(Settings.define("segmentBytes", segmentBytes));
        arguments.add(Settings.define("durable", isDurable));
        settings.forEach((name, value) -> arguments.add(Settings.define(name, value)));
        return arguments;
    }

    /** Opens the queue, or makes it. */
    Subject open() {
        if (side == Side.BARE) {
            return new BareSubject(this);
        }
        return side.isOutcrop() ? new OutcropSubject(this) : new ChronicleSubject(this);
    }

    void delete() {
        Directories.delete(directory);
    }
}
