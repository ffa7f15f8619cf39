/*
 * What suite "write" costs in C: puts and batches through RocksDB's C API, with the same library and options.
 *
 * usage: write LIBRARY DATABASE OPTIONS put|build|write RECORDS off|on|sync ascending|random THREADS ROUNDS MILLISECONDS
 * Prints the nanoseconds one put, or one batch of RECORDS, takes in each of the threads: the median of ROUNDS rounds of
 * MILLISECONDS each, after one that does not count.
 *
 * Every round starts with an empty database, and the options keep what it writes in the memtable. A key is a number in
 * eight bytes, big-endian, and padding: random ones, or ascending ones from a random one on. The Java sides do the same,
 * with the same numbers.
 */
#include <pthread.h>

#include "engine.h"

enum { KEY_BYTES = 16, VALUE_BYTES = 100, MAX_THREADS = 64, PUTS = 16 };
static const char VALUE = 'v';

/* The part of rocksdb/c.h that is used here. */
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;

static void (*close_database)(rocksdb_t *);
static void (*destroy_database)(const rocksdb_options_t *, const char *, char **);
static rocksdb_writeoptions_t *(*writeoptions_create)(void);
static void (*set_sync)(rocksdb_writeoptions_t *, unsigned char);
static void (*disable_wal)(rocksdb_writeoptions_t *, int);
static void (*put)(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t, char **);
static rocksdb_writebatch_t *(*batch_create)(void);
static void (*batch_clear)(rocksdb_writebatch_t *);
static void (*batch_put)(rocksdb_writebatch_t *, const char *, size_t, const char *, size_t);
static void (*write_batch)(rocksdb_t *, const rocksdb_writeoptions_t *, rocksdb_writebatch_t *, char **);

static rocksdb_t *db;
static rocksdb_writeoptions_t *write_options;
static char action;
static int records, is_synced, is_random, threads;
static double round_length;

struct writer {
    char key[KEY_BYTES];
    char value[VALUE_BYTES];
    rocksdb_writebatch_t *batch;
    uint64_t state;
    uint64_t next;
    double ns;
    char distance[128]; /* from the next one, which another core writes to */
};

static void *bind_all(const char *path) {
    void *library = load(path);
    bind(library, "rocksdb_close", &close_database);
    bind(library, "rocksdb_destroy_db", &destroy_database);
    bind(library, "rocksdb_writeoptions_create", &writeoptions_create);
    bind(library, "rocksdb_writeoptions_set_sync", &set_sync);
    bind(library, "rocksdb_writeoptions_disable_WAL", &disable_wal);
    bind(library, "rocksdb_put", &put);
    bind(library, "rocksdb_writebatch_create", &batch_create);
    bind(library, "rocksdb_writebatch_clear", &batch_clear);
    bind(library, "rocksdb_writebatch_put", &batch_put);
    bind(library, "rocksdb_write", &write_batch);
    return library;
}

static void require(const char *what, const char *error) {
    if (error) {
        die(what, error);
    }
}

static void set_next_key(struct writer *w) {
    set_index(w->key, is_random ? next_random(&w->state) : w->next++);
}

static void put_one(struct writer *w) {
    char *error = NULL;
    set_next_key(w);
    put(db, write_options, w->key, KEY_BYTES, w->value, VALUE_BYTES, &error);
    require("cannot put", error);
}

static void build(struct writer *w) {
    batch_clear(w->batch);
    for (int i = 0; i < records; i++) {
        set_next_key(w);
        batch_put(w->batch, w->key, KEY_BYTES, w->value, VALUE_BYTES);
    }
}

/* How many operations that was. */
static int once(struct writer *w) {
    char *error = NULL;
    switch (action) {
    case 'p':
        for (int i = 0; i < (is_synced ? 1 : PUTS); i++) {
            put_one(w);
        }
        return is_synced ? 1 : PUTS;
    case 'b':
        build(w);
        return 1;
    default:
        build(w);
        write_batch(db, write_options, w->batch, &error);
        require("cannot write", error);
        return 1;
    }
}

/* All threads take rounds of the same length, so their rounds overlap without being told to. */
static void *run(void *argument) {
    struct writer *w = argument;
    double start = now_ns(), end;
    long operations = 0;
    do {
        operations += once(w);
        end = now_ns();
    } while (end - start < round_length);
    w->ns = (end - start) / operations;
    return NULL;
}

static double round_ns(struct writer *writers) {
    pthread_t ids[MAX_THREADS];
    double ns = 0;
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&ids[i], NULL, run, &writers[i]) != 0) {
            die("cannot start a thread", "");
        }
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        ns += writers[i].ns / threads;
    }
    return ns;
}

static void start_writer(struct writer *w, int number) {
    memset(w->key, PADDING, KEY_BYTES);
    memset(w->value, VALUE, VALUE_BYTES);
    w->batch = batch_create();
    w->state = SEED * (uint64_t)(number + 1);
    w->next = next_random(&w->state);
}

int main(int argc, char **argv) {
    if (argc != 11) {
        die("usage", "write LIBRARY DATABASE OPTIONS put|build|write RECORDS off|on|sync ascending|random THREADS "
                     "ROUNDS MILLISECONDS");
    }
    void *library = bind_all(argv[1]);
    action = argv[4][0];
    records = atoi(argv[5]);
    is_synced = strcmp(argv[6], "sync") == 0;
    is_random = strcmp(argv[7], "random") == 0;
    threads = atoi(argv[8]);
    int rounds = rounds_from(argv[9]);
    round_length = atof(argv[10]) * 1e6;
    if (threads < 1 || threads > MAX_THREADS) {
        die("threads must be between 1 and 64", argv[8]);
    }
    rocksdb_options_t *options = options_from(library, argv[3]);
    write_options = writeoptions_create();
    set_sync(write_options, is_synced);
    disable_wal(write_options, strcmp(argv[6], "off") == 0);

    static struct writer writers[MAX_THREADS];
    for (int i = 0; i < threads; i++) {
        start_writer(&writers[i], i);
    }
    double of_round[MAX_ROUNDS];
    for (int i = -1; i < rounds; i++) {
        char *error = NULL;
        destroy_database(options, argv[2], &error);
        require("cannot delete the database", error);
        db = open_default(library, options, argv[2]);
        double ns = round_ns(writers);
        if (i >= 0) {
            of_round[i] = ns;
        }
        close_database(db);
    }
    printf("%.3f\n", median(of_round, rounds));
    return 0;
}
