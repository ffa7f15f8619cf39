package dev.outcrop.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of a disk after the power was cut right behind an event of a {@link DiskTrace}: all that was synced, and of the rest whatever the
 * random numbers say. Each sector of 512 bytes has one of the contents that it has had since its last sync, each file one of its
 * sizes, and each file one of its names, since the directory was synced.
 */
final class PowerCut {
    private static final int PAGE_SECTORS = 8;

    /** Which of the contents since the last sync the disk holds. */
    enum Contents {
        /** The newest, as after a kill of the process. */
        ALL,
        /** Synced bytes, and nothing else. */
        NONE,
        /** For each sector any. */
        SECTORS,
        /** For each page of 4,096 bytes those of any moment. */
        PAGES,
        /** For each file those of any moment. */
        FILES,
        MOMENT,
        /** All but a few sectors. */
        FEW_LOST,
        /** None but a few sectors. */
        FEW_KEPT
    }

    /** Which of the names since the last sync of the directory. */
    enum Names {
        ALL,
        /** Synced names, and nothing else. */
        NONE,
        /** The names of one moment, as a journal keeps them. */
        MOMENT,
        /** For each file any, in any order. */
        FILES
    }

    private final DiskTrace trace;
    private final int cut;
    private final Contents contents;
    private final Names names;
    private final long seed;
    private final Random random;

    private final Map<DiskTrace.TracedFile, int[]> sectorFloors = new HashMap<>();
    private final Map<DiskTrace.TracedFile, Integer> sizeFloors = new HashMap<>();
    private final Map<String, Integer> directoryFloors = new HashMap<>();

    /**
     * A power cut.
     *
     * @param cut  the last event before it
     * @param lies whether the disk ignores msync, and says that it has succeeded
     */
    PowerCut(DiskTrace trace, Map<Integer, Integer> syncs, int cut, Contents contents, Names names, boolean lies,
            long seed) {
        this.trace = trace;
        this.cut = cut;
        this.contents = contents;
        this.names = names;
        this.seed = seed;
        this.random = new Random(seed);
        for (int i = 0; i <= cut; i++) {
            DiskTrace.Event event = trace.events().get(i);
            if (event.kind() == 'I' && i < trace.initial()) {
                synced(file(event), 0, Long.MAX_VALUE, trace.initial() - 1);
            } else if (event.kind() == 'E') {
                int begin = Objects.requireNonNull(syncs.get(event.sync()));
                DiskTrace.Event sync = trace.events().get(begin);
                if (sync.file() == null) {
                    directoryFloors.merge(sync.text(), begin, Math::max);
                } else if (!lies) {
                    synced(sync.file(), sync.from(), sync.to(), begin);
                }
            }
        }
    }

    private static DiskTrace.TracedFile file(DiskTrace.Event event) {
        DiskTrace.TracedFile file = event.file();
        if (file == null) {
            throw new AssertionError(event + " has no file");
        }
        return file;
    }

    private void synced(DiskTrace.TracedFile file, long from, long to, int event) {
        int[] floors = sectorFloors.computeIfAbsent(file, _ -> noFloors(file));
        for (int i = (int) from; i < Math.min(to, floors.length); i++) {
            floors[i] = Math.max(floors[i], event);
        }
        sizeFloors.merge(file, event, Math::max);
    }

    private static int[] noFloors(DiskTrace.TracedFile file) {
        int[] floors = new int[file.sectors.size()];
        Arrays.fill(floors, -1);
        return floors;
    }

    int event() {
        return cut;
    }

    /** Writes the disk's content to an empty directory: the same each time. */
    void writeTo(Path target) throws IOException {
        random.setSeed(seed);
        int moment = moment();
        Map<String, DiskTrace.TracedFile> named = nameFiles(moment);
        for (String directory : existingDirectories(moment)) {
            Files.createDirectories(target.resolve(directory));
        }
        List<Sector> few = someUnsynced(named.values());
        for (Map.Entry<String, DiskTrace.TracedFile> entry : named.entrySet()) {
            if (Files.isDirectory(target.resolve(DiskTrace.parent(entry.getKey())))) {
                Files.write(target.resolve(entry.getKey()), contentOf(entry.getValue(), moment, few));
            }
        }
    }

    /** Some event before the cut, more often one shortly before: earlier ones were mostly synced since. */
    private int moment() {
        return Math.max(0, cut - random.nextInt(1 << random.nextInt(12)));
    }

    // --- Names ---

    private List<String> existingDirectories(int moment) {
        List<String> existing = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : new TreeMap<>(trace.directories()).entrySet()) {
            String path = entry.getKey();
            int made = entry.getValue();
            boolean isThere = made <= cut && (made < trace.initial() || made <= durableNames(DiskTrace.parent(path))
                    || isNamed(made, moment));
            // Sorted: the one that it is in comes first.
            if (isThere && (path.isEmpty() || DiskTrace.parent(path).isEmpty()
                    || existing.contains(DiskTrace.parent(path)))) {
                existing.add(path);
            }
        }
        return existing;
    }

    private int durableNames(String directory) {
        return directoryFloors.getOrDefault(directory, -1);
    }

    /** Whether a change of names that is not durable is on the disk. */
    private boolean isNamed(int event, int moment) {
        return switch (names) {
            case ALL -> true;
            case NONE -> false;
            case MOMENT -> event <= moment;
            case FILES -> random.nextBoolean();
        };
    }

    private Map<String, DiskTrace.TracedFile> nameFiles(int moment) {
        Map<DiskTrace.TracedFile, Integer> chosen = new HashMap<>();
        Map<String, DiskTrace.TracedFile> named = new TreeMap<>();
        for (DiskTrace.TracedFile file : trace.files()) {
            name(file, chooseName(file, moment), chosen, named);
        }
        return named;
    }

    private int chooseName(DiskTrace.TracedFile file, int moment) {
        int newest = file.names.at(cut);
        int floor = -1;
        for (int i = 0; i <= newest; i++) {
            int event = file.names.since(i);
            if (event < trace.initial() || event <= durableNames(DiskTrace.parent(file.names.value(i)))
                    || (i > 0 && event <= durableNames(DiskTrace.parent(file.names.value(i - 1))))) {
                floor = i;
            }
        }
        return switch (names) {
            case ALL -> newest;
            case NONE -> floor;
            case MOMENT -> Math.max(floor, file.names.at(moment));
            case FILES -> floor + random.nextInt(newest - floor + 1);
        };
    }

    /** Two files cannot have one name: then the first change of the name has reached the disk. */
    private void name(DiskTrace.TracedFile file, int index, Map<DiskTrace.TracedFile, Integer> chosen,
            Map<String, DiskTrace.TracedFile> named) {
        chosen.put(file, index);
        String name = index < 0 ? "" : file.names.value(index);
        if (name.isEmpty()) {
            return;
        }
        DiskTrace.TracedFile other = named.get(name);
        if (other == null) {
            named.put(name, file);
            return;
        }
        int othersIndex = Objects.requireNonNull(chosen.get(other));
        if (other.names.since(othersIndex) < file.names.since(index)) {
            named.put(name, file);
            name(other, othersIndex + 1, chosen, named);
        } else {
            name(file, index + 1, chosen, named);
        }
    }

    // --- Contents ---

    private record Sector(DiskTrace.TracedFile file, int index) {
    }

    /** A few of the sectors that have changed since their last sync, for those cases in which it is a few. */
    private List<Sector> someUnsynced(Iterable<DiskTrace.TracedFile> from) {
        List<Sector> unsynced = new ArrayList<>();
        if (contents != Contents.FEW_LOST && contents != Contents.FEW_KEPT) {
            return unsynced;
        }
        for (DiskTrace.TracedFile file : from) {
            for (int i = 0; i < file.sectors.size(); i++) {
                if (file.sectors.get(i).at(cut) > floor(file, i)) {
                    unsynced.add(new Sector(file, i));
                }
            }
        }
        Collections.shuffle(unsynced, random);
        return unsynced.subList(0, Math.min(unsynced.size(), 1 + random.nextInt(3)));
    }

    /** The index of the synced content of a sector; -1 if it is zero. */
    private int floor(DiskTrace.TracedFile file, int sector) {
        int @Nullable [] floors = sectorFloors.get(file);
        return floors == null || floors[sector] < 0 ? -1 : file.sectors.get(sector).at(floors[sector]);
    }

    private byte[] contentOf(DiskTrace.TracedFile file, int moment, List<Sector> few) {
        int own = moment();
        byte[] bytes = new byte[(int) sizeOf(file, moment, own)];
        int page = 0;
        for (int i = 0; i < file.sectors.size() && i * DiskTrace.SECTOR < bytes.length; i++) {
            if (i % PAGE_SECTORS == 0) {
                page = moment();
            }
            DiskTrace.History<byte[]> history = file.sectors.get(i);
            int newest = history.at(cut);
            int floor = floor(file, i);
            int index = switch (contents) {
                case ALL -> newest;
                case NONE -> floor;
                case SECTORS -> floor + random.nextInt(newest - floor + 1);
                case PAGES -> Math.max(floor, history.at(page));
                case FILES -> Math.max(floor, history.at(own));
                case MOMENT -> Math.max(floor, history.at(moment));
                case FEW_LOST -> few.contains(new Sector(file, i)) ? floor : newest;
                case FEW_KEPT -> few.contains(new Sector(file, i)) ? newest : floor;
            };
            if (index >= 0) {
                int at = i * DiskTrace.SECTOR;
                System.arraycopy(history.value(index), 0, bytes, at, Math.min(DiskTrace.SECTOR, bytes.length - at));
            }
        }
        return bytes;
    }

    private long sizeOf(DiskTrace.TracedFile file, int moment, int own) {
        int newest = file.sizes.at(cut);
        int floor = file.sizes.at(sizeFloors.getOrDefault(file, -1));
        int index = switch (contents) {
            case ALL, FEW_LOST -> newest;
            case NONE, FEW_KEPT -> floor;
            case SECTORS, PAGES -> floor + random.nextInt(newest - floor + 1);
            case FILES -> Math.max(floor, file.sizes.at(own));
            case MOMENT -> Math.max(floor, file.sizes.at(moment));
        };
        return index < 0 ? 0 : file.sizes.value(index);
    }

    @Override
    public String toString() {
        return "power cut behind event " + cut + ", contents " + contents + ", names " + names;
    }
}
