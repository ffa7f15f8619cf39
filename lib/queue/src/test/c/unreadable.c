/*
 * Wraps functions of the C library for a test's JVM (LD_PRELOAD=unreadable.so). Makes some pages of a file unreadable, as bad sectors do:
 *
 *   OUTCROP_UNREADABLE  "SUFFIX FROM TO": the bytes FROM to TO, multiples of the page size, of the first used file with a path that ends
 *                       with SUFFIX
 *
 * A read of these pages fails with EIO. A load or a store in their mapping raises SIGBUS. A page is readable again after one call has
 * written all of it, because a disk then gives it another place. A mapping from before that stays unreadable.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __GLIBC__
#error "unreadable.c needs the GNU C library"
#endif

enum { PAGE = 4096, MOST_PAGES = 1024 };

static char suffix[256];
static off64_t bad_from, bad_to;
static char is_rewritten[MOST_PAGES];
static int empty = -1;
static ino_t bad_file;

#define NEXT(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static int is_bad_file(int fd) {
    char link[64], path[4096];
    if (fd < 0 || bad_to == 0) {
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    size_t wanted = strlen(suffix);
    struct stat file;
    if (length < (ssize_t) wanted || memcmp(path + length - wanted, suffix, wanted) != 0 || fstat(fd, &file) != 0) {
        return 0;
    }
    if (bad_file == 0) {
        bad_file = file.st_ino;
    }
    return file.st_ino == bad_file;
}

static int is_bad(off64_t page) {
    return page >= bad_from && page < bad_to && !is_rewritten[(page - bad_from) / PAGE];
}

static int fails(int fd, off64_t from, size_t size) {
    int error = errno;
    int found = 0;
    if (is_bad_file(fd)) {
        for (off64_t page = from / PAGE * PAGE; page < from + (off64_t) size; page += PAGE) {
            found |= is_bad(page);
        }
    }
    errno = found ? EIO : error;
    return found;
}

ssize_t read(int fd, void *to, size_t size) {
    return fails(fd, lseek64(fd, 0, SEEK_CUR), size) ? -1 : NEXT(read)(fd, to, size);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t from) {
    return fails(fd, from, size) ? -1 : NEXT(pread64)(fd, to, size, from);
}

ssize_t sendfile64(int to, int fd, off64_t *from, size_t size) {
    return fails(fd, *from, size) ? -1 : NEXT(sendfile64)(to, fd, from, size);
}

ssize_t copy_file_range(int fd, off64_t *from, int to, off64_t *at, size_t size, unsigned flags) {
    return fails(fd, *from, size) ? -1 : NEXT(copy_file_range)(fd, from, to, at, size, flags);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t from) {
    ssize_t written = NEXT(pwrite64)(fd, bytes, size, from);
    if (is_bad_file(fd)) {
        for (off64_t page = bad_from; page < bad_to; page += PAGE) {
            if (page >= from && page + PAGE <= from + written) {
                is_rewritten[(page - bad_from) / PAGE] = 1;
            }
        }
    }
    return written;
}

static void *map(void *address, size_t size, int protection, int flags, int fd, off64_t from) {
    void *mapped = NEXT(mmap64)(address, size, protection, flags, fd, from);
    if (mapped != MAP_FAILED && is_bad_file(fd)) {
        for (off64_t page = bad_from; page < bad_to; page += PAGE) {
            if (is_bad(page) && page >= from && page < from + (off64_t) size) {
                /* An empty file: a load after its end raises SIGBUS. */
                NEXT(mmap64)((char *) mapped + (page - from), PAGE, protection, MAP_SHARED | MAP_FIXED, empty, 0);
            }
        }
    }
    return mapped;
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t from) {
    return map(address, size, protection, flags, fd, from);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t from) {
    return map(address, size, protection, flags, fd, from);
}

__attribute__((constructor)) static void start(void) {
    const char *what = getenv("OUTCROP_UNREADABLE");
    long long from, to;
    if (!what) {
        return;
    }
    if (sscanf(what, "%255s %lld %lld", suffix, &from, &to) != 3 || (to - from) / PAGE > MOST_PAGES) {
        fputs("unreadable.c: OUTCROP_UNREADABLE is not understood\n", stderr);
        abort();
    }
    empty = memfd_create("unreadable", MFD_CLOEXEC);
    bad_from = from;
    bad_to = to;
}
