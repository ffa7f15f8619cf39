/*
 * A simulated disk with slow seeks, for suite "jruby": each successful fsync, fdatasync and synchronous msync of a process takes
 * MICROSECONDS longer.
 *
 * usage: LD_PRELOAD=libseek.so OUTCROP_SEEK_MICROS=MICROSECONDS PROGRAM
 * Only the wait is added, one at a time, because a disk has one arm. A real disk also has a bandwidth and a queue, and does not seek if
 * there is nothing to write.
 *
 * A call by name finds the functions of a preloaded library before those of the C library. A foreign call of Java does not: it asks dlsym
 * for a function of the C library. Therefore this library replaces dlsym too. Needs glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t arm = PTHREAD_MUTEX_INITIALIZER;
static struct timespec seek_time;
static void *(*real_dlsym)(void *, const char *);

__attribute__((constructor)) static void prepare(void) {
    const char *micros = getenv("OUTCROP_SEEK_MICROS");
    long value = micros == NULL ? 0 : atol(micros);
    seek_time.tv_sec = value / 1000000;
    seek_time.tv_nsec = value % 1000000 * 1000;
}

static int after_a_seek(long result) {
    int error = errno;
    if (result == 0 && (seek_time.tv_sec != 0 || seek_time.tv_nsec != 0)) {
        struct timespec rest = seek_time;
        pthread_mutex_lock(&arm);
        while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
        }
        pthread_mutex_unlock(&arm);
    }
    errno = error;
    return (int)result;
}

int fsync(int fd) {
    return after_a_seek(syscall(SYS_fsync, fd));
}

int fdatasync(int fd) {
    return after_a_seek(syscall(SYS_fdatasync, fd));
}

int msync(void *memory, size_t length, int flags) {
    long result = syscall(SYS_msync, memory, length, flags);
    return (flags & MS_SYNC) == 0 ? (int)result : after_a_seek(result);
}

void *dlsym(void *library, const char *name) {
    if (strcmp(name, "fsync") == 0) {
        return (void *)fsync;
    }
    if (strcmp(name, "fdatasync") == 0) {
        return (void *)fdatasync;
    }
    if (strcmp(name, "msync") == 0) {
        return (void *)msync;
    }
    if (real_dlsym == NULL) {
        /* The version of dlsym is that of the first glibc for the processor, or 2.34, which moved libdl into libc. */
        const char *versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27"};
        for (size_t i = 0; i < sizeof versions / sizeof *versions && real_dlsym == NULL; i++) {
            real_dlsym = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        }
        if (real_dlsym == NULL) {
            abort();
        }
    }
    return real_dlsym(library, name);
}
