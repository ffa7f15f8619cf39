package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.GroupNames;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The consumer groups of an open queue, and their lowest floor. Thread-safe.
 *
 * <p>Locks are taken in this order: {@link #floors}, the lock of a group, {@link #minimum}.
 */
public final class Groups {
    private final QueueDirectory directory;
    private final Log log;
    private final QueueBounds bounds;
    private final Readers readers;
    /** Held while a floor may fall, and while no floor may fall. So a needless segment stays needless until it is given back. */
    final Object floors = new Object();
    private final Object minimum = new Object();
    private final Map<String, Group> byName = new ConcurrentHashMap<>();
    /** The same groups as an array, for loops without an iterator. */
    private volatile Group[] all = {};
    private boolean isClosed;

    private Groups(QueueDirectory directory, Log log, QueueBounds bounds, Readers readers) {
        this.directory = directory;
        this.log = log;
        this.bounds = bounds;
        this.readers = readers;
    }

    /** Opens all groups of the queue. */
    public static Groups open(QueueDirectory directory, Log log, QueueBounds bounds, Readers readers)
            throws IOException {
        Groups groups = new Groups(directory, log, bounds, readers);
        try {
            GroupFile.deleteUnfinished(directory.groups());
            for (Path path : QueueDirectory.list(directory.groups(), "*" + GroupNames.SUFFIX)) {
                String name = GroupNames.decode(String.valueOf(path.getFileName()));
                if (name != null) {
                    groups.add(name, GroupFile.open(directory.directory(), path, directory.queueId(),
                            groups.firstKept(), log.nextOffset()));
                } else {
                    System.getLogger("dev.outcrop.queue.Groups").log(System.Logger.Level.WARNING,
                            path + " is left alone: its name is not one that the file of a consumer group has");
                }
            }
        } catch (Throwable e) {
            groups.close();
            throw e;
        }
        groups.moved();
        return groups;
    }

    /** Adds the group of an open file, which is closed with the group, or on failure. */
    private Group add(String name, GroupFile file) {
        Group[] before = all;
        Group group = null;
        try {
            group = new Group(this, log, readers, name, file);
            Group[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = group;
            // First, so that a group that can be found also keeps its records.
            all = more;
            byName.put(name, group);
            return group;
        } catch (Throwable e) {
            all = before;
            if (group == null) {
                file.close(file.floor());
            } else {
                group.end("there was no memory or stack to open it");
            }
            throw e;
        }
    }

    /** Returns the group of a name; null if there is none. Refuses names that no group can have. */
    @Nullable
    public Group find(String name) {
        Group there = byName.get(name);
        if (there == null) {
            String _ = GroupNames.encode(name);
        }
        return there;
    }

    /** Returns the group of a name, and makes it if there is none. */
    public Group group(String name) {
        Group there = byName.get(name);
        if (there != null) {
            return there;
        }
        String fileName = GroupNames.encode(name);
        // The floor of a new group may be lower than the others'.
        try {
            synchronized (floors) {
                there = byName.get(name);
                if (there != null) {
                    return there;
                }
                requireOpen();
                Group made = create(name, directory.groups().resolve(fileName));
                moved();
                return made;
            }
        } catch (FileAlreadyExistsException e) {
            throw new UncheckedIOException("Consumer group " + name + " cannot be made: there is a file " + e.getFile()
                    + " that was not there when the queue was opened. Move it away, or open the queue again", e);
        } catch (IOException e) {
            throw new UncheckedIOException("Consumer group " + name + " cannot be made: " + FailureText.of(e), e);
        }
    }

    private Group create(String name, Path path) throws IOException {
        GroupFile file = GroupFile.create(path, directory.queueId(), firstKept());
        try {
            return add(name, file);
        } catch (Throwable e) {
            // The file would be in the way of the next attempt, and make a group at the next opening.
            Files.deleteIfExists(path);
            throw e;
        }
    }

    public Set<String> names() {
        return Collections.unmodifiableSet(new TreeSet<>(byName.keySet()));
    }

    /** Deletes a group, if there is one of that name. */
    public void delete(String name) {
        try {
            synchronized (floors) {
                requireOpen();
                Group group = byName.get(name);
                if (group == null) {
                    return;
                }
                // First: there may be no memory for it.
                Group[] others = Arrays.stream(all).filter(other -> other != group).toArray(Group[]::new);
                byName.remove(name);
                all = others;
                try {
                    deleteFile(group);
                } finally {
                    // Whether its file is gone or not, nothing is acknowledged for it from now on.
                    moved();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The file of consumer group " + name + " cannot be deleted: " + FailureText.of(e), e);
        } finally {
            log.retire();
        }
    }

    private void deleteFile(Group group) throws IOException {
        try {
            group.end("it was deleted");
        } finally {
            Files.deleteIfExists(directory.groups().resolve(GroupNames.encode(group.name())));
            QueueDirectory.fsyncDirectory(directory.groups());
        }
    }

    // --- How far all of them are ---

    /**
     * The offset before which all groups have acknowledged all records. It falls when a group is made or moved, but not while {@link
     * #floors} is held.
     *
     * @return {@link Long#MAX_VALUE} without groups
     */
    public long floorOffset() {
        long lowest = Long.MAX_VALUE;
        for (Group group : all) {
            lowest = Math.min(lowest, group.floorOffset());
        }
        return lowest;
    }

    /** The same for giving segments back, where a broken group continues from its file. */
    long needlessBefore() {
        long lowest = Long.MAX_VALUE;
        for (Group group : all) {
            lowest = Math.min(lowest, group.needlessBefore());
        }
        return lowest;
    }

    /** The position of that offset, as {@link Cursor#position()} counts, or an earlier position; {@link Long#MAX_VALUE} without groups. */
    public long floorPosition() {
        long lowest = Long.MAX_VALUE;
        for (Group group : all) {
            lowest = Math.min(lowest, group.floorPosition());
        }
        return lowest;
    }

    /** The name of the slowest group; null without groups. */
    private @Nullable String slowest() {
        Group slowest = null;
        for (Group group : all) {
            if (slowest == null || group.floorOffset() < slowest.floorOffset()) {
                slowest = group;
            }
        }
        return slowest == null ? null : slowest.name();
    }

    /** The offset that a group begins with. Retired records are gone after the next start, even if a file still has them. */
    long firstKept() {
        return Math.max(log.firstOffset(), directory.file().slot().retired());
    }

    /** Notes that a floor has changed, or that records were given back. */
    public void moved() {
        if (!bounds.isBounded()) {
            return;
        }
        // One thread at a time, so that an older answer does not overwrite a newer one.
        synchronized (minimum) {
            if (all.length == 0) {
                // Without groups all kept records count, because a group may be made later.
                SegmentFile first = log.first();
                bounds.floor(first.baseOffset, first.start + QueueLayout.HEADER, null);
            } else {
                bounds.floor(floorOffset(), floorPosition(), slowest());
            }
        }
    }

    /** Forces what the groups have acknowledged to the disk. */
    public void force() throws IOException {
        Exception failure = null;
        for (Group group : all) {
            try {
                group.force();
            } catch (IOException | RuntimeException e) {
                // The other groups can still be forced.
                failure = failure == null ? e : failure;
            }
        }
        if (failure instanceof IOException io) {
            throw io;
        } else if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    /** Forces the floors of the groups to the disk. */
    void forceFloors() throws IOException {
        for (Group group : all) {
            group.forceFloor();
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("The queue " + directory.directory() + " is closed");
        }
    }

    /** Ends all groups. Afterwards only open deliveries use segments. */
    public void close() {
        synchronized (floors) {
            isClosed = true;
            end(all, 0, "the queue " + directory.directory() + " is closed");
        }
    }

    /** Ends all groups from an index on, even if one of them fails: the segments that they read are unmapped soon. */
    private static void end(Group[] groups, int from, String why) {
        for (int i = from; i < groups.length; i++) {
            try {
                groups[i].end(why);
            } catch (Throwable e) {
                end(groups, i + 1, why);
                throw e;
            }
        }
    }
}
