/*
 * The work of suite "queue" in C, without a queue.
 *
 * usage: queue append|tail|1P1C|2P2C FILE PAYLOAD RECORDS prepared|cold ROUNDS
 * The records are in a mapped file. A record has a header of 24 bytes and PAYLOAD bytes, and one store publishes it. The flow determines
 * the number of threads that append and read. Each reader adds up the payloads of all records, as the Java programs do. Prints the
 * nanoseconds per record: the median of ROUNDS rounds of RECORDS each, after one warm-up round. There are two figures:
 * "plain": without checksums. With two appenders, each record's place is claimed by an atomic addition.
 * "checked": with the guarantees of our queue. Each record's place is claimed by an atomic addition. The appender writes a CRC-32C of the
 * record, and each reader verifies it. Not printed if the processor has no instruction for CRC-32C.
 * Each round has a new file. "prepared": its pages are in memory and mapped before the clock starts. "cold": the pages are not prepared,
 * and "tail" maps the file again before the clock starts.
 *
 * usage: queue durable FILE PAYLOAD THREADS MILLISECONDS
 * THREADS threads append to one file for MILLISECONDS, with one write and one fdatasync per record. The warm-up before that takes half as
 * long. Prints the nanoseconds between two records of all threads together, and percentiles of the nanoseconds per record.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "crc32c.h"

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

/* --- Flows --- */

enum { CRC = 8, TIME = 16, KIND = 1, MAX_CREW = 4, SPINS = 64 };

/* The tail, as in our queue: records in the upper half, words in the lower half. The padding gives it a separate cache line. */
static struct {
    char before[128];
    uint64_t tail;
    char behind[128];
} claims;

static char *records_memory;
static size_t stride, count, share;
static int is_checked, is_claimed;
static uint64_t payload_sum;
static int ready, is_begun;

/* One thread of a flow. */
struct member {
    int is_reader;
    double start, end;
    char distance[128]; /* keeps the next one, which another core writes to, on another cache line */
};

static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Adds one word after the other, as code of the JIT compiler does: the comparison is not about the work of a consumer. */
static inline uint64_t sum(const char *from, size_t bytes) {
    uint64_t result = 0;
    for (size_t at = 0; at < bytes; at += 8) {
        result += load(from + at);
        __asm__ volatile("" : "+r"(result));
    }
    return result;
}

static inline uint64_t commit_word(uint64_t offset, size_t bytes) {
    return offset << 32 | 1U << 31 | bytes;
}

/* The C library's memcpy took up to twice as long for 1 KB, and the comparison is not about memcpy. */
static inline void copy(char *to, const char *from, size_t bytes) {
    enum { BLOCK = 64 };
    size_t at = 0;
    for (; at + BLOCK <= bytes; at += BLOCK) {
        memcpy(to + at, from + at, BLOCK);
    }
    for (; at < bytes; at += 8) {
        memcpy(to + at, from + at, 8);
    }
}

static void append_records(void) {
    static uint64_t now = 1;
    char *next = records_memory;
    for (size_t i = 0; i < share; i++) {
        uint64_t offset = i;
        char *at = next;
        if (is_claimed) {
            uint64_t claimed = __atomic_fetch_add(&claims.tail, 1ULL << 32 | stride / 8, __ATOMIC_ACQ_REL);
            offset = claimed >> 32;
            at = records_memory + (claimed & 0xFFFFFFFFU) * 8;
        }
        if (is_checked) {
            uint64_t time = __atomic_load_n(&now, __ATOMIC_RELAXED);
            memcpy(at + TIME, &time, sizeof time);
            uint64_t crc = crc_copied(crc_word(~0U, time), at + HEADER, payload, payload_bytes);
            uint64_t crc_and_kind = (uint64_t)KIND << 32 | (uint32_t)(~crc ^ offset);
            memcpy(at + CRC, &crc_and_kind, sizeof crc_and_kind);
        } else {
            copy(at + HEADER, payload, payload_bytes);
        }
        __atomic_store_n((uint64_t *)at, commit_word(offset, payload_bytes), __ATOMIC_RELEASE);
        next += stride;
    }
}

static int is_whole(const char *at, uint64_t offset, size_t bytes) {
    uint64_t crc = crc_of(crc_word(~0U, load(at + TIME)), at + HEADER, bytes);
    return load(at + CRC) == ((uint64_t)KIND << 32 | (uint32_t)(~crc ^ offset));
}

static void read_records(void) {
    const char *at = records_memory;
    uint64_t read = 0;
    for (uint64_t offset = 0; offset < count; offset++) {
        uint64_t word = __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
        for (int looks = 1; word >> 31 != (offset << 1 | 1); looks++) {
            /* Lets an appender get ahead by more than one record, and run at all if there are more threads than cores. */
            if (looks % SPINS == 0) {
                sched_yield();
            } else {
                pause_briefly();
            }
            word = __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
        }
        size_t bytes = word & 0x7FFFFFFFU;
        if (is_checked && !is_whole(at, offset, bytes)) {
            die("a record is damaged", file);
        }
        read += sum(at + HEADER, bytes);
        at += (HEADER + bytes + 7) & ~(size_t)7;
    }
    if (read != count * payload_sum) {
        die("what was read is not what was appended", file);
    }
}

static void *work(void *argument) {
    struct member *self = argument;
    __atomic_add_fetch(&ready, 1, __ATOMIC_ACQ_REL);
    while (!__atomic_load_n(&is_begun, __ATOMIC_ACQUIRE)) {
        sched_yield();
    }
    self->start = now_ns();
    if (self->is_reader) {
        read_records();
    } else {
        append_records();
    }
    self->end = now_ns();
    return NULL;
}

/* Runs the threads. Returns the nanoseconds from the start of the first thread to the end of the last thread. */
static double run_crew(int producers, int readers) {
    static struct member members[MAX_CREW];
    pthread_t ids[MAX_CREW];
    int size = producers + readers;
    ready = 0;
    is_begun = 0;
    for (int i = 0; i < size; i++) {
        members[i].is_reader = i >= producers;
        if (pthread_create(&ids[i], NULL, work, &members[i]) != 0) {
            die("cannot start a thread", "");
        }
    }
    while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) < size) {
        sched_yield();
    }
    __atomic_store_n(&is_begun, 1, __ATOMIC_RELEASE);
    double start = 1e300, end = 0;
    for (int i = 0; i < size; i++) {
        pthread_join(ids[i], NULL);
        start = members[i].start < start ? members[i].start : start;
        end = members[i].end > end ? members[i].end : end;
    }
    return end - start;
}

static char *map(int fd, size_t size) {
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        die("cannot map the file", file);
    }
    return memory;
}

static double flow_round(int producers, int readers, int is_prepared) {
    size_t size = (count * stride + PAGE - 1) / PAGE * PAGE;
    int fd = new_file(O_RDWR);
    if (ftruncate(fd, (off_t)size) != 0) {
        die("cannot size the file", file);
    }
    records_memory = map(fd, size);
    if (is_prepared) {
        prepare(fd, records_memory, size);
    }
    claims.tail = 0;
    is_claimed = is_checked || producers > 1;
    share = producers > 0 ? count / producers : count;
    if (producers == 0) {
        append_records();
        /* Otherwise the kernel writes the file to the disk while the readers read it. */
        if (fsync(fd) != 0) {
            die("cannot write to the disk", file);
        }
        if (!is_prepared) {
            munmap(records_memory, size);
            records_memory = map(fd, size);
        }
    }
    double ns = run_crew(producers, readers) / count;
    munmap(records_memory, size);
    close(fd);
    unlink(file);
    return ns;
}

static void flow(char **argv) {
    int producers = strcmp(argv[1], "tail") == 0 ? 0 : strcmp(argv[1], "2P2C") == 0 ? 2 : 1;
    int readers = strcmp(argv[1], "append") == 0 ? 0 : strcmp(argv[1], "2P2C") == 0 ? 2 : 1;
    int is_prepared = strcmp(argv[5], "prepared") == 0;
    int rounds = rounds_from(argv[6]);
    double plain[MAX_ROUNDS], checked[MAX_ROUNDS];
    stride = (HEADER + payload_bytes + 7) & ~(size_t)7;
    payload_sum = sum(payload, payload_bytes);
    count = strtoul(argv[4], NULL, 10);
    if (count < 2 || payload_bytes % 8 != 0) {
        die("there must be two records at least, of a multiple of 8 bytes", argv[4]);
    }
    count -= producers > 0 ? count % producers : 0;
    if (HAS_CRC32C) {
        prepare_crc32c();
    }
    for (int i = -1; i < rounds; i++) {
        is_checked = 0;
        double ns = flow_round(producers, readers, is_prepared);
        is_checked = HAS_CRC32C;
        double checked_ns = is_checked ? flow_round(producers, readers, is_prepared) : 0;
        if (i >= 0) {
            plain[i] = ns;
            checked[i] = checked_ns;
        }
    }
    print_figure("plain", median(plain, rounds));
    if (HAS_CRC32C) {
        print_figure("checked", median(checked, rounds));
    }
}

/* One thread of "durable". */
struct writer {
    double *latencies;
    size_t count;
    double start, end;
    char distance[128]; /* keeps the next one, which another core writes to, on another cache line */
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
        /* At least one record counts, even on a slow disk. */
    } while (now < until || w->count == 0);
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
        start = writers[i].start < start ? writers[i].start : start;
        end = writers[i].end > end ? writers[i].end : end;
    }
    close(log_fd);
    unlink(file);
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
    print_figure("rate", (end - start) / count);
    print_figure("p50", percentile(all, count, 50));
    print_figure("p99", percentile(all, count, 99));
    print_figure("p99.9", percentile(all, count, 99.9));
}

static int is_flow(const char *name) {
    return strcmp(name, "append") == 0 || strcmp(name, "tail") == 0 || strcmp(name, "1P1C") == 0 || strcmp(name, "2P2C") == 0;
}

int main(int argc, char **argv) {
    int is_a_flow = argc == 7 && is_flow(argv[1]);
    if (!is_a_flow && !(argc == 6 && strcmp(argv[1], "durable") == 0)) {
        die("usage", "queue append|tail|1P1C|2P2C FILE PAYLOAD RECORDS prepared|cold ROUNDS,"
                     " or queue durable FILE PAYLOAD THREADS MILLISECONDS");
    }
    file = argv[2];
    payload_bytes = strtoul(argv[3], NULL, 10);
    payload = new_payload();
    if (is_a_flow) {
        flow(argv);
    } else {
        durable(argv);
    }
    return 0;
}
