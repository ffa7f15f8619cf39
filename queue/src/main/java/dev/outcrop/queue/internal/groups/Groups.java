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
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The consumer groups of an open queue, and how far all of them are. Thread-safe.
 *
 * <p>Locks are taken in this order: {@link #floors}, that of a group, {@link #minimum}.
 */
public final class Groups {
    private final QueueDirectory directory;
    private final Log log;
    private final QueueBounds room;
    private final Readers readers;
    /** Held while a floor may fall, and while none may: a segment that is found needless stays needless until it is given back. */
    final Object floors = new Object();
    private final Object minimum = new Object();
    private final Map<String, Group> byName = new ConcurrentHashMap<>();
    /** The same, to be looked through without an iterator. */
    private volatile Group[] all = {};
    private boolean isClosed;

    private Groups(QueueDirectory directory, Log log, QueueBounds room, Readers readers) {
        this.directory = directory;
        this.log = log;
        this.room = room;
        this.readers = readers;
    }

    /** Opens the groups that there are. */
    public static Groups open(QueueDirectory directory, Log log, QueueBounds room, Readers readers) throws IOException {
        Groups groups = new Groups(directory, log, room, readers);
        try {
            GroupFile.deleteUnfinished(directory.groups());
            for (Path path : files(directory.groups())) {
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

    private static List<Path> files(Path groups) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(groups, "*" + GroupNames.SUFFIX)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /** Of an open file, which is closed with the group, or if there is none. */
    private Group add(String name, GroupFile file) {
        Group[] before = all;
        Group group = null;
        try {
            group = new Group(this, log, readers, name, file);
            Group[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = group;
            // First: what can be found must also be kept.
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

    /** The group of that name; null if there is none. */
    @Nullable
    public Group find(String name) {
        return byName.get(name);
    }

    /** A group, which is made if there is none of that name. */
    public Group group(String name) {
        Group there = byName.get(name);
        if (there != null) {
            return there;
        }
        String fileName = GroupNames.encode(name);
        // A new group's floor is lower than the others'.
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
            // There is no such group: its file would be in the way of the next attempt, and a group when the queue is opened again.
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
                    // Whether its file is gone or not: nothing more is acknowledged for it.
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
     * What all groups have acknowledged: all before this offset. It can fall, when a group is made or moved, but not while
     * {@link #floors} is held.
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

    /** The same for giving segments back: a broken group goes on from where its file says. */
    long needlessBefore() {
        long lowest = Long.MAX_VALUE;
        for (Group group : all) {
            lowest = Math.min(lowest, group.needlessBefore());
        }
        return lowest;
    }

    /** Where that is, as {@link Cursor#position()} counts, or before; {@link Long#MAX_VALUE} without groups. */
    public long floorPosition() {
        long lowest = Long.MAX_VALUE;
        for (Group group : all) {
            lowest = Math.min(lowest, group.floorPosition());
        }
        return lowest;
    }

    /** The name of a group that no other one is behind; null without groups. */
    private @Nullable String slowest() {
        Group slowest = null;
        for (Group group : all) {
            if (slowest == null || group.floorOffset() < slowest.floorOffset()) {
                slowest = group;
            }
        }
        return slowest == null ? null : slowest.name();
    }

    /** Where a group begins: what is retired is not there after the next start, even if a file still has it. */
    long firstKept() {
        return Math.max(log.firstOffset(), directory.file().slot().retired());
    }

    /** A floor has changed, or records are not kept any more. */
    public void moved() {
        if (!room.isBounded()) {
            return;
        }
        // One at a time, so that an older answer does not overwrite a newer one.
        synchronized (minimum) {
            if (all.length == 0) {
                // A group may be made later: without groups, all that is kept counts.
                SegmentFile first = log.first();
                room.floor(first.baseOffset, first.start + QueueLayout.HEADER, null);
            } else {
                room.floor(floorOffset(), floorPosition(), slowest());
            }
        }
    }

    /** Waits until what the groups have acknowledged is on the disk. */
    public void force() throws IOException {
        Exception failure = null;
        for (Group group : all) {
            try {
                group.force();
            } catch (IOException | RuntimeException e) {
                // The others' can be brought there all the same.
                failure = failure == null ? e : failure;
            }
        }
        if (failure instanceof IOException io) {
            throw io;
        } else if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    /** Waits until it is on the disk how far the groups are. */
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

    /** Ends all groups. When this returns, only deliveries that are still open use segments. */
    public void close() {
        synchronized (floors) {
            isClosed = true;
            end(all, 0, "the queue " + directory.directory() + " is closed");
        }
    }

    /** Ends all groups from one on, whatever happens to one of them: soon nothing is mapped any more that they read. */
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
