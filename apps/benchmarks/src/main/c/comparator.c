/*
 * The work of suite "comparator" in C: the comparators are C functions. RocksDB calls them as it calls those in Java.
 *
 * usage: comparator LIBRARY DATABASE OPTIONS get|seek|write NUMBERS|BYTES NAME KEYS VALUE_BYTES WRITES THREADS ROUNDS
 * MILLISECONDS
 * Prints the nanoseconds per operation of a thread: the median of ROUNDS rounds of MILLISECONDS each, after one
 * warm-up round. A round counts with the mean of all threads. A round of "write" puts at least WRITES keys and flushes.
 *
 * The keys and their order are those of class KeyOrder. NAME is the name of the comparator in the database. "write"
 * first deletes an existing database.
 */
#include <pthread.h>

#include "engine.h"

enum { MAX_KEY_BYTES = 128, MAX_THREADS = 64, BATCH = 64 };

/* The part of rocksdb/c.h that this program uses. */
typedef struct rocksdb_comparator_t rocksdb_comparator_t;
typedef struct rocksdb_iterator_t rocksdb_iterator_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_flushoptions_t rocksdb_flushoptions_t;

static void (*close_database)(rocksdb_t *);
static unsigned char (*get_into_buffer)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t,
                                        char *, size_t, size_t *, unsigned char *, char **);
static rocksdb_iterator_t *(*create_iterator)(rocksdb_t *, const rocksdb_readoptions_t *);
static void (*iter_seek)(rocksdb_iterator_t *, const char *, size_t);
static unsigned char (*iter_valid)(const rocksdb_iterator_t *);
static void (*iter_destroy)(rocksdb_iterator_t *);
static void (*put)(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t, char **);
static void (*flush)(rocksdb_t *, const rocksdb_flushoptions_t *, char **);

static rocksdb_t *db;
static rocksdb_readoptions_t *read_options;
static rocksdb_writeoptions_t *write_options;
static rocksdb_flushoptions_t *flush_options;
static enum { GET, SEEK, WRITE } operation;
static int threads, rounds, is_number;
static uint64_t keys, writes;
static size_t key_bytes, value_bytes;
static double round_length;
static const char *name;

struct worker {
    char key[MAX_KEY_BYTES];
    char *value;
    rocksdb_iterator_t *iterator;
    uint64_t state;
    double ns[MAX_ROUNDS];
};

static int compare_numbers(void *state, const char *a, size_t a_length, const char *b, size_t b_length) {
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static int compare_bytes(void *state, const char *a, size_t a_length, const char *b, size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static const char *name_of(void *state) {
    return name;
}

static void nothing(void *state) {
}

static void bind_all(void *library, rocksdb_options_t *options) {
    bind(library, "rocksdb_close", &close_database);
    bind(library, "rocksdb_get_into_buffer", &get_into_buffer);
    bind(library, "rocksdb_create_iterator", &create_iterator);
    bind(library, "rocksdb_iter_seek", &iter_seek);
    bind(library, "rocksdb_iter_valid", &iter_valid);
    bind(library, "rocksdb_iter_destroy", &iter_destroy);
    bind(library, "rocksdb_put", &put);
    bind(library, "rocksdb_flush", &flush);

    rocksdb_writeoptions_t *(*create_write_options)(void);
    void (*disable_wal)(rocksdb_writeoptions_t *, int);
    rocksdb_flushoptions_t *(*create_flush_options)(void);
    bind(library, "rocksdb_writeoptions_create", &create_write_options);
    bind(library, "rocksdb_writeoptions_disable_WAL", &disable_wal);
    bind(library, "rocksdb_flushoptions_create", &create_flush_options);
    write_options = create_write_options();
    disable_wal(write_options, 1);
    flush_options = create_flush_options();

    rocksdb_comparator_t *(*create_comparator)(void *, void (*)(void *),
                                               int (*)(void *, const char *, size_t, const char *, size_t),
                                               const char *(*)(void *));
    void (*set_comparator)(rocksdb_options_t *, rocksdb_comparator_t *);
    bind(library, "rocksdb_comparator_create", &create_comparator);
    bind(library, "rocksdb_options_set_comparator", &set_comparator);
    set_comparator(options,
                   create_comparator(NULL, nothing, is_number ? compare_numbers : compare_bytes, name_of));
}

static void destroy(void *library, const rocksdb_options_t *options, const char *path) {
    void (*destroy_database)(const rocksdb_options_t *, const char *, char **);
    char *error = NULL;
    bind(library, "rocksdb_destroy_db", &destroy_database);
    destroy_database(options, path, &error);
    if (error) {
        die("cannot delete the database", error);
    }
}

/* Writes the index to the end of the key: a number in the byte order of the machine, other keys big-endian. */
static void set_key(struct worker *w, uint64_t index) {
    if (is_number) {
        memcpy(w->key, &index, sizeof index);
    } else {
        set_index(w->key + key_bytes - 8, index);
    }
}

static void get(struct worker *w) {
    char *error = NULL;
    size_t size;
    unsigned char found;
    unsigned char fits = get_into_buffer(db, read_options, w->key, key_bytes, w->value, value_bytes, &size, &found,
                                         &error);
    if (error || !found || !fits || size != value_bytes) {
        die("cannot read", error ? error : "a key is missing");
    }
}

static void seek(struct worker *w) {
    iter_seek(w->iterator, w->key, key_bytes);
    if (!iter_valid(w->iterator)) {
        die("cannot seek", "there is no such key");
    }
}

static void write_and_flush(struct worker *w) {
    char *error = NULL;
    for (uint64_t i = 0; i < writes; i++) {
        set_key(w, next_index(&w->state, keys));
        put(db, write_options, w->key, key_bytes, w->value, value_bytes, &error);
    }
    flush(db, flush_options, &error);
    if (error) {
        die("cannot write", error);
    }
}

static double round_ns(struct worker *w) {
    double start = now_ns(), end;
    long done = 0;
    do {
        if (operation == WRITE) {
            write_and_flush(w);
            done += writes;
        } else {
            for (int i = 0; i < BATCH; i++) {
                set_key(w, next_index(&w->state, keys));
                operation == GET ? get(w) : seek(w);
            }
            done += BATCH;
        }
        end = now_ns();
    } while (end - start < round_length);
    return (end - start) / done;
}

/* The rounds of all threads have the same length, so they overlap without synchronization. */
static void *run(void *argument) {
    struct worker *w = argument;
    round_ns(w);
    for (int i = 0; i < rounds; i++) {
        w->ns[i] = round_ns(w);
    }
    return NULL;
}

static void warm(struct worker *w) {
    for (uint64_t i = 0; i < keys; i++) {
        set_key(w, i);
        get(w);
    }
}

static struct worker *new_worker(int number) {
    struct worker *w = calloc(1, sizeof *w);
    memset(w->key, PADDING, MAX_KEY_BYTES);
    w->value = calloc(1, value_bytes);
    w->state = SEED * (uint64_t)(number + 1);
    w->iterator = operation == SEEK ? create_iterator(db, read_options) : NULL;
    return w;
}

int main(int argc, char **argv) {
    if (argc != 13) {
        die("usage", "comparator LIBRARY DATABASE OPTIONS get|seek|write NUMBERS|BYTES NAME KEYS VALUE_BYTES WRITES "
                     "THREADS ROUNDS MILLISECONDS");
    }
    operation = strcmp(argv[4], "get") == 0 ? GET : strcmp(argv[4], "seek") == 0 ? SEEK : WRITE;
    is_number = strcmp(argv[5], "NUMBERS") == 0;
    key_bytes = is_number ? 8 : MAX_KEY_BYTES;
    name = argv[6];
    keys = strtoull(argv[7], NULL, 10);
    value_bytes = strtoull(argv[8], NULL, 10);
    writes = strtoull(argv[9], NULL, 10);
    threads = atoi(argv[10]);
    rounds = rounds_from(argv[11]);
    round_length = atof(argv[12]) * 1e6;
    if (threads < 1 || threads > MAX_THREADS) {
        die("threads must be between 1 and 64", argv[10]);
    }
    void *library = load(argv[1]);
    rocksdb_options_t *options = options_from(library, argv[3]);
    bind_all(library, options);
    if (operation == WRITE) {
        destroy(library, options, argv[2]);
    }
    db = open_default(library, options, argv[2]);
    read_options = default_read_options(library);

    struct worker *workers[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    for (int i = 0; i < threads; i++) {
        workers[i] = new_worker(i);
    }
    if (operation != WRITE) {
        warm(workers[0]);
    }
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&ids[i], NULL, run, workers[i]) != 0) {
            die("cannot start a thread", "");
        }
    }
    double of_round[MAX_ROUNDS] = {0};
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        for (int r = 0; r < rounds; r++) {
            of_round[r] += workers[i]->ns[r] / threads;
        }
    }
    print_figure("time", median(of_round, rounds));
    for (int i = 0; i < threads; i++) {
        if (workers[i]->iterator != NULL) {
            iter_destroy(workers[i]->iterator);
        }
    }
    close_database(db);
    return 0;
}
