/*
 * What suite "queue" costs in C, without any queue.
 *
 * usage: queue append FILE PAYLOAD RECORDS prepared|cold ROUNDS
 * Prints the nanoseconds it takes to copy a payload of PAYLOAD bytes into a mapped file behind 24 bytes for a header, and to publish it with one
 * store: the median of ROUNDS rounds of RECORDS each, after one that does not count. Each round has a new file. "prepared": its pages are in
 * memory and mapped before the clock starts.
 *
 * usage: queue durable FILE PAYLOAD THREADS MILLISECONDS
 * THREADS threads append to one file for so long, each with a write and an fdatasync a record. Prints the nanoseconds between two records, of all
 * threads together, and percentiles of the nanoseconds that a record takes. The first half of as long again does not count.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

enum { HEADER = 24, PAGE = 4096, MAX_THREADS = 64, MAX_LATENCIES = 1 << 20 };

static const char *file;
static size_t payload_bytes;
static char *payload;

static char *new_payload(void) {
    char *memory = malloc(HEADER + payload_bytes);
    if (memory == NULL) {
        die("no memory for the payload", "");
    }
    for (size_t i = 0; i < HEADER + payload_bytes; i++) {
        memory[i] = (char)(i * 31);
    }
    return memory;
}

static int new_file(int flags) {
    unlink(file);
    int fd = open(file, flags | O_CREAT | O_EXCL, 0600);
    if (fd < 0) {
        die("cannot make the file", file);
    }
    return fd;
}

static void prepare(int fd, char *memory, size_t size) {
#ifdef __linux__
    if (fallocate(fd, 0, 0, (off_t)size) == 0) {
#ifdef MADV_POPULATE_WRITE
        if (madvise(memory, size, MADV_POPULATE_WRITE) == 0) {
            return;
        }
#endif
    }
#endif
    (void)fd;
    memset(memory, 0, size);
}

static double append_round(size_t records, int is_prepared) {
    size_t stride = (HEADER + payload_bytes + 7) & ~(size_t)7;
    size_t size = (records * stride + PAGE - 1) / PAGE * PAGE;
    int fd = new_file(O_RDWR);
    if (ftruncate(fd, (off_t)size) != 0) {
        die("cannot size the file", file);
    }
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        die("cannot map the file", file);
    }
    if (is_prepared) {
        prepare(fd, memory, size);
    }
    double start = now_ns();
    char *at = memory;
    for (size_t i = 0; i < records; i++) {
        memcpy(at + HEADER, payload, payload_bytes);
        __atomic_store_n((uint64_t *)at, i << 32 | payload_bytes, __ATOMIC_RELEASE);
        at += stride;
    }
    double ns = (now_ns() - start) / records;
    munmap(memory, size);
    close(fd);
    unlink(file);
    return ns;
}

static void append(char **argv) {
    size_t records = strtoul(argv[4], NULL, 10);
    int is_prepared = strcmp(argv[5], "prepared") == 0;
    int rounds = rounds_from(argv[6]);
    double results[MAX_ROUNDS];
    append_round(records, is_prepared);
    for (int i = 0; i < rounds; i++) {
        results[i] = append_round(records, is_prepared);
    }
    printf("%.3f\n", median(results, rounds));
}

/* One thread of "durable". */
struct writer {
    double *latencies;
    size_t count;
    double start, end;
    char distance[128]; /* from the next one, which another core writes to */
};

static int log_fd;
static double warm_until, until;

static void sync_data(int fd) {
#ifdef __APPLE__
    int result = fcntl(fd, F_FULLFSYNC);
#else
    int result = fdatasync(fd);
#endif
    if (result != 0) {
        die("cannot write to the disk", file);
    }
}

static void *write_log(void *argument) {
    struct writer *w = argument;
    double now = now_ns();
    do {
        double begin = now;
        if (write(log_fd, payload, HEADER + payload_bytes) != (ssize_t)(HEADER + payload_bytes)) {
            die("cannot write", file);
        }
        sync_data(log_fd);
        now = now_ns();
        if (begin >= warm_until && w->count < MAX_LATENCIES) {
            if (w->count == 0) {
                w->start = begin;
            }
            w->latencies[w->count++] = now - begin;
            w->end = now;
        }
    } while (now < until);
    return NULL;
}

static double percentile(const double *sorted, size_t n, double p) {
    size_t at = (size_t)(p / 100 * n);
    return sorted[at < n ? at : n - 1];
}

static void durable(char **argv) {
    int threads = atoi(argv[4]);
    double length = atof(argv[5]) * 1e6;
    if (threads < 1 || threads > MAX_THREADS) {
        die("threads must be between 1 and 64", argv[4]);
    }
    static struct writer writers[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    log_fd = new_file(O_WRONLY | O_APPEND);
    warm_until = now_ns() + length / 2;
    until = warm_until + length;
    for (int i = 0; i < threads; i++) {
        writers[i].latencies = malloc(MAX_LATENCIES * sizeof(double));
        if (writers[i].latencies == NULL || pthread_create(&ids[i], NULL, write_log, &writers[i]) != 0) {
            die("cannot start a thread", "");
        }
    }
    size_t count = 0;
    double start = 1e300, end = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        count += writers[i].count;
        if (writers[i].count > 0) {
            start = writers[i].start < start ? writers[i].start : start;
            end = writers[i].end > end ? writers[i].end : end;
        }
    }
    close(log_fd);
    unlink(file);
    if (count == 0) {
        die("no record was written in time", argv[5]);
    }
    double *all = malloc(count * sizeof(double));
    if (all == NULL) {
        die("no memory for the latencies", "");
    }
    size_t at = 0;
    for (int i = 0; i < threads; i++) {
        memcpy(all + at, writers[i].latencies, writers[i].count * sizeof(double));
        at += writers[i].count;
    }
    qsort(all, count, sizeof(double), ascending);
    printf("figures rate=%.3f p50=%.3f p99=%.3f p99.9=%.3f\n", (end - start) / count, percentile(all, count, 50),
           percentile(all, count, 99), percentile(all, count, 99.9));
}

int main(int argc, char **argv) {
    int is_append = argc == 7 && strcmp(argv[1], "append") == 0;
    int is_durable = argc == 6 && strcmp(argv[1], "durable") == 0;
    if (!is_append && !is_durable) {
        die("usage", "queue append FILE PAYLOAD RECORDS prepared|cold ROUNDS, or queue durable FILE PAYLOAD THREADS MILLISECONDS");
    }
    file = argv[2];
    payload_bytes = strtoul(argv[3], NULL, 10);
    payload = new_payload();
    if (is_append) {
        append(argv);
    } else {
        durable(argv);
    }
    return 0;
}
