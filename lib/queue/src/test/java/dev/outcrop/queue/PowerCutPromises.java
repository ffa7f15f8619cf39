package dev.outcrop.queue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The promises to a {@link PowerCutWorkload} at each moment: the records that must be there after a power cut, and those that may be. */
final class PowerCutPromises {
    private static final Pattern SPACE = Pattern.compile(" ");

    /** The record of each offset, whether or not it was promised. */
    private final Map<Long, Payloads.Id> ids = new TreeMap<>();
    /** The records on the disk when the program was started. */
    private final BitSet initial = new BitSet();
    private final long initialNext;
    private final Map<String, BitSet> initiallyAcknowledged = new TreeMap<>();
    private final Map<String, BitSet> initiallyLasting = new TreeMap<>();
    /** Records whose offsets are not known if the process was killed meanwhile. */
    private final Set<Payloads.Id> tried = new HashSet<>();
    private final List<Mark> marks = new ArrayList<>();

    private record Mark(int event, String kind, String group, int offset) {
    }

    /**
     * The promises before one event.
     *
     * @param durable      offsets of the records that are on the disk
     * @param acknowledged by each group that was made: the offsets that it no longer needs
     * @param lasting      those of them that it must not be given again, because the queue was closed since
     */
    record Promised(BitSet durable, Map<String, BitSet> acknowledged, Map<String, BitSet> lasting) {
        /** Offsets that may have been given up, because all groups have acknowledged them. */
        BitSet needless() {
            BitSet all = new BitSet();
            boolean isFirst = true;
            for (BitSet one : acknowledged.values()) {
                if (isFirst) {
                    all.or(one);
                    isFirst = false;
                } else {
                    all.and(one);
                }
            }
            return all;
        }
    }

    /** Before the first program: there is nothing. */
    PowerCutPromises() {
        initialNext = 0;
    }

    /**
     * After a program was stopped by a power cut.
     *
     * @param before what was so then
     * @param first  offset of the first record that is kept
     * @param found  the records that are there
     * @param next   the next record's offset
     */
    PowerCutPromises(PowerCutPromises before, Promised then, long first, Map<Long, Payloads.Id> found, long next) {
        initialNext = next;
        before.ids.forEach((offset, id) -> {
            if (offset < first) {
                ids.put(offset, id);
            }
        });
        ids.putAll(found);
        tried.addAll(before.tried);
        found.keySet().forEach(offset -> initial.set(offset.intValue()));
        then.acknowledged().forEach((group, offsets) -> initiallyAcknowledged.put(group, before(offsets, (int) next)));
        then.lasting().forEach((group, offsets) -> initiallyLasting.put(group, before(offsets, (int) next)));
    }

    /** From there on, offsets are going to be those of other records. */
    private static BitSet before(BitSet offsets, int next) {
        BitSet kept = (BitSet) offsets.clone();
        kept.clear(next, Math.max(kept.length(), next));
        return kept;
    }

    /** Adds the promises to a program that ran to its end. */
    void read(DiskTrace trace) {
        for (int i = 0; i < trace.events().size(); i++) {
            if (trace.events().get(i).kind() == 'M') {
                read(i, trace.events().get(i).text());
            }
        }
    }

    private void read(int event, String text) {
        String[] words = SPACE.split(text, -1);
        switch (words[0]) {
            case "try" -> tried.add(new Payloads.Id(Integer.parseInt(words[1]), Long.parseLong(words[2])));
            case "halt" -> marks.add(new Mark(event, words[0], "", 0));
            case "append", "durable" -> {
                long offset = Long.parseLong(words[1]);
                Payloads.Id id = new Payloads.Id(Integer.parseInt(words[2]), Long.parseLong(words[3]));
                Payloads.Id other = ids.put(offset, id);
                if (other != null && !other.equals(id)) {
                    throw new AssertionError("offset " + offset + " is that of " + other + " and of " + id);
                }
                marks.add(new Mark(event, words[0], "", (int) offset));
            }
            case "prefix" -> marks.add(new Mark(event, words[0], "", Integer.parseInt(words[1])));
            case "closed" -> marks.add(new Mark(event, words[0], "", 0));
            case "group" -> marks.add(new Mark(event, words[0], words[1], 0));
            case "one", "upto" -> marks.add(new Mark(event, words[0], words[1], Integer.parseInt(words[2])));
            default -> throw new AssertionError("mark " + text);
        }
    }

    /** Whether a record may stand at an offset. */
    boolean isPossible(long offset, Payloads.Id id) {
        Payloads.Id known = ids.get(offset);
        return known == null ? tried.contains(id) && !ids.containsValue(id) : known.equals(id);
    }

    /** Returns the promises before an event. */
    Promised at(int event) {
        int end = 0;
        Map<String, BitSet> acknowledged = copy(initiallyAcknowledged);
        Map<String, BitSet> lasting = copy(initiallyLasting);
        // Since the queue was opened. The last action of a killed process is unknown.
        Map<String, BitSet> done = new TreeMap<>();
        for (Mark mark : marks) {
            if (mark.event > event) {
                break;
            }
            switch (mark.kind) {
                case "durable" -> end = Math.max(end, mark.offset + 1);
                case "prefix" -> end = Math.max(end, mark.offset);
                case "closed" -> {
                    done.forEach((group, offsets) -> lasting.computeIfAbsent(group, _ -> new BitSet()).or(offsets));
                    done.clear();
                }
                case "halt" -> done.clear();
                case "group" -> acknowledged.computeIfAbsent(mark.group, _ -> new BitSet());
                case "one" -> {
                    Objects.requireNonNull(acknowledged.get(mark.group)).set(mark.offset);
                    done.computeIfAbsent(mark.group, _ -> new BitSet()).set(mark.offset);
                }
                case "upto" -> {
                    Objects.requireNonNull(acknowledged.get(mark.group)).set(0, mark.offset + 1);
                    done.computeIfAbsent(mark.group, _ -> new BitSet()).set(0, mark.offset + 1);
                }
                default -> {
                    // Nothing was promised.
                }
            }
        }
        BitSet durable = (BitSet) initial.clone();
        for (long offset : ids.keySet()) {
            if (offset >= initialNext && offset < end) {
                durable.set((int) offset);
            }
        }
        return new Promised(durable, acknowledged, lasting);
    }

    private static Map<String, BitSet> copy(Map<String, BitSet> sets) {
        Map<String, BitSet> copies = new TreeMap<>();
        sets.forEach((group, offsets) -> copies.put(group, (BitSet) offsets.clone()));
        return copies;
    }
}
