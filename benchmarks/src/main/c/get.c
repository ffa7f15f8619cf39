/*
 * What suite "get" costs in C: point reads of cached values through RocksDB's C API, from the same library and
 * database.
 *
 * usage: get LIBRARY DATABASE OPTIONS buffer|pinned hot|random KEYS VALUE_BYTES THREADS ROUNDS MILLISECONDS Prints the
 * nanoseconds one read takes in each of the threads: the median of ROUNDS rounds of MILLISECONDS each, after one that
 * does not count.
 *
 * A key is its index in eight bytes, big-endian, and padding. All that is done with a value is to look at its size, its
 * first byte and its last byte. The Java sides do the same, with the same sequence of keys.
 */
#include <pthread.h>

#include "engine.h"

enum { KEY_BYTES = 128, MAX_THREADS = 64, BATCH = 64 };

/* The part of rocksdb/c.h that is used here. */
typedef struct rocksdb_pinnable_handle_t rocksdb_pinnable_handle_t;

static void (*close_database)(rocksdb_t *);
static unsigned char (*get_into_buffer)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t,
                                        char *, size_t, size_t *, unsigned char *, char **);
static rocksdb_pinnable_handle_t *(*get_pinned)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t,
                                                char **);
static const char *(*pinned_value)(const rocksdb_pinnable_handle_t *, size_t *);
static void (*pinned_destroy)(rocksdb_pinnable_handle_t *);

static rocksdb_t *db;
static rocksdb_readoptions_t *read_options;
static int is_hot, is_pinned, threads, rounds;
static uint64_t keys;
static size_t value_bytes;
static double round_length;

struct reader {
    char key[KEY_BYTES];
    char *buffer;
    uint64_t state;
    int64_t sum;
    double ns[MAX_ROUNDS];
};

static void *bind_all(const char *path) {
    void *library = load(path);
    bind(library, "rocksdb_close", &close_database);
    bind(library, "rocksdb_get_into_buffer", &get_into_buffer);
    bind(library, "rocksdb_get_pinned_v2", &get_pinned);
    bind(library, "rocksdb_pinnable_handle_get_value", &pinned_value);
    bind(library, "rocksdb_pinnable_handle_destroy", &pinned_destroy);
    return library;
}

static uint64_t wanted_index(struct reader *r) {
    return is_hot ? keys / 2 : next_index(&r->state, keys);
}

static int64_t looked(const char *value, size_t size) {
    if (size != value_bytes) {
        die("a value has the wrong size", "");
    }
    return (int64_t)size + value[0] + value[size - 1];
}

static int64_t read_into_buffer(struct reader *r) {
    char *error = NULL;
    size_t size;
    unsigned char found;
    unsigned char fits = get_into_buffer(db, read_options, r->key, KEY_BYTES, r->buffer, value_bytes, &size, &found,
                                         &error);
    if (error || !found || !fits) {
        die("cannot read", error ? error : "a key is missing");
    }
    return looked(r->buffer, size);
}

static int64_t read_pinned(struct reader *r) {
    char *error = NULL;
    size_t size;
    rocksdb_pinnable_handle_t *handle = get_pinned(db, read_options, r->key, KEY_BYTES, &error);
    if (error || handle == NULL) {
        die("cannot read", error ? error : "a key is missing");
    }
    const char *value = pinned_value(handle, &size);
    int64_t result = looked(value, size);
    pinned_destroy(handle);
    return result;
}

static double round_ns(struct reader *r) {
    double start = now_ns(), end;
    long reads = 0;
    do {
        for (int i = 0; i < BATCH; i++) {
            set_index(r->key, wanted_index(r));
            r->sum += is_pinned ? read_pinned(r) : read_into_buffer(r);
        }
        reads += BATCH;
        end = now_ns();
    } while (end - start < round_length);
    return (end - start) / reads;
}

/* All threads take rounds of the same length, so their rounds overlap without being told to. */
static void *run(void *argument) {
    struct reader *r = argument;
    round_ns(r);
    for (int i = 0; i < rounds; i++) {
        r->ns[i] = round_ns(r);
    }
    return NULL;
}

static void warm(struct reader *r) {
    for (uint64_t i = 0; i < keys; i++) {
        set_index(r->key, i);
        read_into_buffer(r);
    }
}

static struct reader *new_reader(int number) {
    struct reader *r = calloc(1, sizeof *r);
    memset(r->key, PADDING, KEY_BYTES);
    r->buffer = malloc(value_bytes);
    r->state = SEED * (uint64_t)(number + 1);
    return r;
}

int main(int argc, char **argv) {
    if (argc != 11) {
        die("usage", "get LIBRARY DATABASE OPTIONS buffer|pinned hot|random KEYS VALUE_BYTES THREADS ROUNDS "
                     "MILLISECONDS");
    }
    void *library = bind_all(argv[1]);
    is_pinned = strcmp(argv[4], "pinned") == 0;
    is_hot = strcmp(argv[5], "hot") == 0;
    keys = strtoull(argv[6], NULL, 10);
    value_bytes = strtoull(argv[7], NULL, 10);
    threads = atoi(argv[8]);
    rounds = rounds_from(argv[9]);
    round_length = atof(argv[10]) * 1e6;
    if (threads < 1 || threads > MAX_THREADS) {
        die("threads must be between 1 and 64", argv[8]);
    }

    db = open_default(library, options_from(library, argv[3]), argv[2]);
    read_options = default_read_options(library);

    struct reader *readers[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    for (int i = 0; i < threads; i++) {
        readers[i] = new_reader(i);
    }
    if (!is_hot) {
        warm(readers[0]);
    }
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&ids[i], NULL, run, readers[i]) != 0) {
            die("cannot start a thread", "");
        }
    }
    double of_round[MAX_ROUNDS] = {0};
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        for (int r = 0; r < rounds; r++) {
            of_round[r] += readers[i]->ns[r] / threads;
        }
    }
    printf("%.3f\n", median(of_round, rounds));
    close_database(db);
    return 0;
}
