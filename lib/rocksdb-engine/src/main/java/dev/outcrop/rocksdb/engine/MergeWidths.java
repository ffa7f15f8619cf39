package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.util.List;
import java.util.Map;

/**
 * How many sorted runs universal compaction merges at a time. The C API has no getters for the options in {@code
 * compaction_options_universal}, so this class remembers the two.
 *
 * @param least {@code min_merge_width}
 * @param most  {@code max_merge_width}
 */
public record MergeWidths(long least, long most) {
    /** The widths in new options. */
    public static final MergeWidths DEFAULT = new MergeWidths(2, 0xffff_ffffL);
    private static final String UNIVERSAL = "compaction_options_universal";

    /** Returns the widths as C has them; they are unsigned. */
    public static MergeWidths of(int least, int most) {
        return new MergeWidths(Integer.toUnsignedLong(least), Integer.toUnsignedLong(most));
    }

    /** Returns the widths in the stored options of a column family. */
    public static MergeWidths ofStored(Map<String, String> stored) {
        return DEFAULT.with(UNIVERSAL + "=" + stored.getOrDefault(UNIVERSAL, ""));
    }

    /** Returns the widths after an option string that RocksDB has understood. */
    public MergeWidths with(String options) {
        MergeWidths widths = this;
        for (Option option : OptionString.parse(options)) {
            if (option.path().getFirst().equals(UNIVERSAL)) {
                for (Option part : option.name().equals(UNIVERSAL) ? option.options() : List.of(option)) {
                    widths = widths.with(part);
                }
            }
        }
        return widths;
    }

    private MergeWidths with(Option part) {
        return switch (part.part()) {
            case "min_merge_width" -> new MergeWidths(OptionNumbers.whole(part), most);
            case "max_merge_width" -> new MergeWidths(least, OptionNumbers.whole(part));
            default -> this;
        };
    }
}
