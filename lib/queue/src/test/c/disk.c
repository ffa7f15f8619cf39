/*
 * Wraps functions of the C library for a test's JVM (LD_PRELOAD=disk.so). These variables configure it:
 *
 *   OUTCROP_DISK_ROOT    a directory; the trace records the changes to the files in it
 *   OUTCROP_DISK_TRACE   the file for the trace, which DiskTrace.java reads
 *   OUTCROP_DISK_GOES_ON if set, the trace is appended to that of an earlier process
 *   OUTCROP_DISK_MARKS   an empty file outside the root; a write to it goes into the trace instead. "halt" ends the process at once, as
 *                        kill -9 would, but never between a change and its entry in the trace
 *   OUTCROP_DISK_FAIL    a file that may appear and disappear; while it contains "CALL SUFFIX HOW", this call fails with EIO on a file with
 *                        a path that ends with SUFFIX. CALL is msync, fsync, fdatasync, or "any" for all three. HOW is "once" or "always"
 *   OUTCROP_CLOCK_JUMPS  if set, the time of day is up to a day late, and jumps every 10 ms
 *
 * A store to mapped memory is not a call. So each event compares all files with their contents at the previous event, in sectors of 512
 * bytes. The contents of a sector between two events are not seen. They are not needed, because they were overwritten before anything could
 * rely on them.
 *
 * The trace is a sequence of entries in the byte order of the machine. u32 and u64 are numbers, text is a u32 of bytes and these bytes:
 *
 *   'S' u32 file, u32 sector, 512 bytes             the sector has new contents since the previous event
 *   'Z' u32 file, u64 size                          the file has a new size since the previous event
 *   'd' text path                                   event: a directory that exists at the start
 *   'I' u32 file, text path                         event: a file that exists at the start; its contents follow
 *   'i'                                             event: the end of the events for the start
 *   'C' u32 file, text path                         event: a file was created
 *   'R' u32 file, text from, text to                event: a file was renamed
 *   'U' u32 file, text path                         event: a file was deleted
 *   'D' text path                                   event: a directory was created
 *   'B' u32 sync, u32 file, u64 from, u64 to, text  event: a sync of these sectors begins, with the path; a directory is file 0xFFFFFFFF
 *   'E' u32 sync                                    event: the sync succeeded
 *   'F' u32 sync                                    event: the sync failed
 *   'M' text                                        event: a mark
 *   'P'                                             event: something else happened
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifndef __GLIBC__
#error "disk.c needs the GNU C library"
#endif

enum { SECTOR = 512, CHUNK = 1 << 16, MOST_FILES = 1 << 16, MOST_PATH = 4096 };

struct file {
    dev_t dev;
    ino_t ino;
    int fd; /* never closed while the file exists: that would release the process's locks on it */
    int is_gone;
    uint64_t size;
    uint64_t sectors;
    unsigned char *seen;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[MOST_FILES];
static uint32_t file_count;
static const char *root;
static size_t root_length;
static const char *fail_control;
static int trace = -1;
static int has_marks;
static struct stat marks;
static int clock_jumps;
static uint32_t sync_count;

/* --- The wrapped functions of the C library --- */

typedef void *(*lookup)(void *, const char *);

/* This library replaces dlsym, so the C library's dlsym is found by its symbol versions. */
static lookup real_dlsym(void) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27", "GLIBC_2.2"};
    static lookup found;
    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++) {
        found = (lookup) dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    }
    if (!found) {
        fputs("disk.c: the C library's dlsym was not found\n", stderr);
        abort();
    }
    return found;
}

static void *next(const char *name) {
    void *found = real_dlsym()(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "disk.c: the C library's %s was not found\n", name);
        abort();
    }
    return found;
}

#define NEXT(name)                                       \
    ({                                                   \
        static __typeof__(&name) cached;                 \
        if (!cached) {                                   \
            cached = (__typeof__(&name)) next(#name);    \
        }                                                \
        cached;                                          \
    })

/* --- The trace --- */

static unsigned char *out;
static size_t out_size, out_capacity;

static void put(const void *bytes, size_t size) {
    if (out_size + size > out_capacity) {
        out_capacity = 2 * (out_size + size);
        out = realloc(out, out_capacity);
        if (!out) {
            abort();
        }
    }
    memcpy(out + out_size, bytes, size);
    out_size += size;
}

static void put_kind(char kind) { put(&kind, 1); }
static void put_u32(uint32_t value) { put(&value, sizeof value); }
static void put_u64(uint64_t value) { put(&value, sizeof value); }

static void put_text(const char *text, size_t length) {
    put_u32((uint32_t) length);
    put(text, length);
}

static void put_path(const char *path) { put_text(path, strlen(path)); }

static void look_at(uint32_t id, int is_new) {
    static unsigned char bytes[CHUNK];
    struct file *file = &files[id];
    struct stat now;
    if (file->is_gone || fstat(file->fd, &now) != 0) {
        return;
    }
    uint64_t size = (uint64_t) now.st_size;
    if (size != file->size || is_new) {
        uint64_t sectors = (size + SECTOR - 1) / SECTOR;
        file->seen = realloc(file->seen, sectors * SECTOR + 1);
        if (!file->seen) {
            abort();
        }
        if (sectors > file->sectors) {
            memset(file->seen + file->sectors * SECTOR, 0, (sectors - file->sectors) * SECTOR);
        }
        file->sectors = sectors;
        file->size = size;
        put_kind('Z');
        put_u32(id);
        put_u64(size);
    }
    for (uint64_t at = 0; at < size; at += CHUNK) {
        size_t wanted = size - at < CHUNK ? (size_t) (size - at) : CHUNK;
        ssize_t read = pread(file->fd, bytes, wanted, (off_t) at);
        if (read <= 0) {
            return;
        }
        memset(bytes + read, 0, (size_t) ((SECTOR - read % SECTOR) % SECTOR));
        for (ssize_t i = 0; i < read; i += SECTOR) {
            unsigned char *seen = file->seen + at + i;
            if (is_new || memcmp(seen, bytes + i, SECTOR) != 0) {
                memcpy(seen, bytes + i, SECTOR);
                put_kind('S');
                put_u32(id);
                put_u32((uint32_t) ((at + (uint64_t) i) / SECTOR));
                put(bytes + i, SECTOR);
            }
        }
    }
}

/* The entries of an event are put between begin_event and end_event. */
static void begin_event(void) {
    pthread_mutex_lock(&lock);
    for (uint32_t id = 0; id < file_count; id++) {
        look_at(id, 0);
    }
}

static void write_down(void) {
    size_t done = 0;
    while (done < out_size && trace >= 0) {
        ssize_t written = NEXT(write)(trace, out + done, out_size - done);
        if (written < 0) {
            perror("disk.c: the trace");
            abort();
        }
        done += (size_t) written;
    }
    out_size = 0;
}

static void end_event(void) {
    int error = errno;
    write_down();
    pthread_mutex_unlock(&lock);
    errno = error;
}

/* --- Files --- */

static int is_inside(const char *path) {
    return root && path && strncmp(path, root, root_length) == 0
            && (path[root_length] == '/' || path[root_length] == '\0');
}

static int64_t find(const struct stat *file) {
    for (int64_t id = (int64_t) file_count - 1; id >= 0; id--) {
        if (files[id].ino == file->st_ino && files[id].dev == file->st_dev && !files[id].is_gone) {
            return id;
        }
    }
    return -1;
}

static int64_t find_path(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0 && S_ISREG(found.st_mode) ? find(&found) : -1;
}

static void add(const char *path, char kind) {
    struct stat found;
    if (lstat(path, &found) != 0 || !S_ISREG(found.st_mode) || find(&found) >= 0) {
        return;
    }
    int fd = NEXT(open)(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || file_count == MOST_FILES) {
        fprintf(stderr, "disk.c: %s cannot be followed\n", path);
        abort();
    }
    uint32_t id = file_count++;
    files[id] = (struct file) {.dev = found.st_dev, .ino = found.st_ino, .fd = fd};
    put_kind(kind);
    put_u32(id);
    put_path(path);
    if (kind == 'I') {
        look_at(id, 1);
    }
}

static void forget(int64_t id) {
    close(files[id].fd);
    free(files[id].seen);
    files[id].seen = NULL;
    files[id].is_gone = 1;
}

static int open_followed(const char *path, int flags, mode_t mode) {
    if (!(flags & O_CREAT) || !is_inside(path)) {
        return NEXT(open)(path, flags, mode);
    }
    begin_event();
    int fd = NEXT(open)(path, flags, mode);
    int error = errno;
    if (fd >= 0) {
        add(path, 'C');
    }
    end_event();
    errno = error;
    return fd;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    return open_followed(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    return open_followed(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
    if (!is_inside(path)) {
        return NEXT(mkdir)(path, mode);
    }
    begin_event();
    int result = NEXT(mkdir)(path, mode);
    if (result == 0) {
        put_kind('D');
        put_path(path);
    }
    end_event();
    return result;
}

int rename(const char *from, const char *to) {
    if (!is_inside(from)) {
        return NEXT(rename)(from, to);
    }
    begin_event();
    int64_t moved = find_path(from);
    int64_t replaced = find_path(to);
    int result = NEXT(rename)(from, to);
    if (result == 0 && moved >= 0) {
        if (replaced >= 0 && replaced != moved) {
            forget(replaced);
        }
        put_kind('R');
        put_u32((uint32_t) moved);
        put_path(from);
        put_path(to);
    }
    end_event();
    return result;
}

/* A file that gets a second name soon loses the first one. It counts as renamed here. */
int link(const char *from, const char *to) {
    if (!is_inside(from)) {
        return NEXT(link)(from, to);
    }
    begin_event();
    int64_t named = find_path(from);
    int result = NEXT(link)(from, to);
    if (result == 0 && named >= 0) {
        put_kind('R');
        put_u32((uint32_t) named);
        put_path(from);
        put_path(to);
    }
    end_event();
    return result;
}

int unlink(const char *path) {
    if (!is_inside(path)) {
        return NEXT(unlink)(path);
    }
    begin_event();
    struct stat file;
    int is_last = lstat(path, &file) == 0 && file.st_nlink == 1;
    int64_t id = find_path(path);
    int result = NEXT(unlink)(path);
    if (result == 0 && id >= 0 && !is_last) {
        put_kind('P');
    } else if (result == 0 && id >= 0) {
        forget(id);
        put_kind('U');
        put_u32((uint32_t) id);
        put_path(path);
    }
    end_event();
    return result;
}

static void point(int fd) {
    struct stat file;
    if (!root || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        return;
    }
    int error = errno;
    begin_event();
    if (find(&file) >= 0) {
        put_kind('P');
    }
    end_event();
    errno = error;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    struct stat file;
    if (has_marks && fstat(fd, &file) == 0 && file.st_ino == marks.st_ino && file.st_dev == marks.st_dev) {
        begin_event();
        put_kind('M');
        put_text(bytes, size);
        if (size == 4 && memcmp(bytes, "halt", 4) == 0) {
            write_down();
            _exit(137);
        }
        end_event();
        return (ssize_t) size;
    }
    return NEXT(write)(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    ssize_t result = NEXT(pwrite64)(fd, bytes, size, offset);
    point(fd);
    return result;
}

int fallocate(int fd, int mode, off_t offset, off_t length) {
    int result = NEXT(fallocate)(fd, mode, offset, length);
    point(fd);
    return result;
}

/* --- Syncs --- */

static int must_fail(const char *call, const char *path) {
    FILE *control = fail_control ? fopen(fail_control, "r") : NULL;
    if (!control) {
        return 0;
    }
    char wanted[32], suffix[256], how[32];
    int words = fscanf(control, "%31s %255s %31s", wanted, suffix, how);
    fclose(control);
    size_t length = strlen(path);
    if (words != 3 || (strcmp(wanted, "any") != 0 && strcmp(wanted, call) != 0) || length < strlen(suffix)
            || strcmp(path + length - strlen(suffix), suffix) != 0) {
        return 0;
    }
    if (strcmp(how, "once") == 0) {
        NEXT(unlink)(fail_control);
    }
    return 1;
}

static int begin_sync(const char *call, const char *path, uint64_t from, uint64_t to, uint32_t *sync) {
    begin_event();
    *sync = sync_count++;
    put_kind('B');
    put_u32(*sync);
    put_u32((uint32_t) find_path(path));
    put_u64(from);
    put_u64(to);
    put_path(path);
    int fails = must_fail(call, path);
    if (fails) {
        put_kind('F');
        put_u32(*sync);
    }
    end_event();
    return fails;
}

static void end_sync(uint32_t sync, int result) {
    int error = errno;
    begin_event();
    put_kind(result == 0 ? 'E' : 'F');
    put_u32(sync);
    end_event();
    errno = error;
}

static int sync_fd(const char *call, int fd, int (*real)(int)) {
    char link[64], path[MOST_PATH];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = root ? readlink(link, path, sizeof path - 1) : -1;
    path[length < 0 ? 0 : length] = '\0';
    if (!is_inside(path)) {
        return real(fd);
    }
    uint32_t sync;
    if (begin_sync(call, path, 0, UINT64_MAX / SECTOR, &sync)) {
        errno = EIO;
        return -1;
    }
    int result = real(fd);
    end_sync(sync, result);
    return result;
}

int fsync(int fd) { return sync_fd("fsync", fd, NEXT(fsync)); }
int fdatasync(int fd) { return sync_fd("fdatasync", fd, NEXT(fdatasync)); }

/* Finds the file that is mapped at an address, and the offset of the address in the file. */
static int find_mapping(void *address, char *path, uint64_t *offset) {
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) {
        return 0;
    }
    char line[MOST_PATH + 200];
    int found = 0;
    while (!found && fgets(line, sizeof line, maps)) {
        unsigned long from, to, first;
        int text = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &from, &to, &first, &text) >= 3 && text > 0
                && (unsigned long) address >= from && (unsigned long) address < to) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(path, MOST_PATH, "%s", line + text);
            *offset = first + ((unsigned long) address - from);
            found = 1;
        }
    }
    fclose(maps);
    return found;
}

int msync(void *address, size_t length, int flags) {
    char path[MOST_PATH];
    uint64_t offset;
    if (!root || !find_mapping(address, path, &offset) || !is_inside(path)) {
        return NEXT(msync)(address, length, flags);
    }
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    uint64_t from = offset / page * page;
    uint64_t to = (offset + length + page - 1) / page * page;
    uint32_t sync;
    if (begin_sync("msync", path, from / SECTOR, to / SECTOR, &sync)) {
        errno = EIO;
        return -1;
    }
    int result = NEXT(msync)(address, length, flags);
    end_sync(sync, result);
    return result;
}

/* --- The time of day --- */

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = NEXT(clock_gettime)(clock, time);
    if (result == 0 && clock_jumps && clock == CLOCK_REALTIME) {
        uint64_t x = (uint64_t) time->tv_sec * 100 + (uint64_t) time->tv_nsec / 10000000;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
        x = (x ^ x >> 27) * 0x94D049BB133111EB;
        time->tv_sec -= (time_t) ((x ^ x >> 31) % 86400);
    }
    return result;
}

/* --- The replaced dlsym --- */

/* Java looks up foreign functions in the C library itself, which would bypass this library. */
void *dlsym(void *handle, const char *name) {
    static const struct {
        const char *name;
        void *function;
    } ours[] = {{"open", (void *) open}, {"fsync", (void *) fsync}, {"fdatasync", (void *) fdatasync},
            {"msync", (void *) msync}, {"fallocate", (void *) fallocate}};
    for (size_t i = 0; root && i < sizeof ours / sizeof *ours; i++) {
        if (strcmp(name, ours[i].name) == 0) {
            return ours[i].function;
        }
    }
    return real_dlsym()(handle, name);
}

static int add_initial(const char *path, const struct stat *file, int type, struct FTW *place) {
    (void) file;
    (void) place;
    if (type == FTW_D) {
        put_kind('d');
        put_path(path);
    } else if (type == FTW_F) {
        add(path, 'I');
    }
    return 0;
}

__attribute__((constructor)) static void start(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_jumps = getenv("OUTCROP_CLOCK_JUMPS") != NULL;
    fail_control = getenv("OUTCROP_DISK_FAIL");
    const char *directory = getenv("OUTCROP_DISK_ROOT");
    const char *path = getenv("OUTCROP_DISK_TRACE");
    if (!directory) {
        return;
    }
    if (path) {
        trace = NEXT(open)(path, O_WRONLY | O_CREAT | O_CLOEXEC | (getenv("OUTCROP_DISK_GOES_ON") ? O_APPEND : O_TRUNC),
                0600);
        if (trace < 0) {
            perror("disk.c: the trace");
            abort();
        }
    }
    const char *marks_path = getenv("OUTCROP_DISK_MARKS");
    has_marks = marks_path && stat(marks_path, &marks) == 0;
    pthread_mutex_lock(&lock);
    if (nftw(directory, add_initial, 16, FTW_PHYS) != 0) {
        perror("disk.c: the root");
        abort();
    }
    put_kind('i');
    root_length = strlen(directory);
    root = directory;
    end_event();
}
