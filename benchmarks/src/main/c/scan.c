/*
 * What suite "scan" costs in C: entries in order through RocksDB's C API, from the same library and database.
 *
 * usage: scan LIBRARY DATABASE OPTIONS full|backward|range|seek KEYS VALUE_BYTES ROUNDS MILLISECONDS
 * Prints nanoseconds, the median of ROUNDS rounds of MILLISECONDS each, after one that does not count: what one entry
 * takes of going through all of them, forward or backward; what a range of RANGE_ENTRIES takes together with the
 * iterator; or what a seek takes.
 *
 * A key is its index in eight bytes, big-endian, and padding. All that is done with an entry is to look at its key's
 * first byte and at its value's size, first byte and last byte. The Java sides do the same, with the same sequence of
 * keys.
 */
#include "engine.h"

enum { KEY_BYTES = 16, RANGE_ENTRIES = 100, SEEKS = 64 };

/* The part of rocksdb/c.h that is used here. */
typedef struct rocksdb_iterator_t rocksdb_iterator_t;

static rocksdb_iterator_t *(*create_iterator)(rocksdb_t *, const rocksdb_readoptions_t *);
static void (*iter_destroy)(rocksdb_iterator_t *);
static unsigned char (*iter_valid)(const rocksdb_iterator_t *);
static void (*iter_seek_to_first)(rocksdb_iterator_t *);
static void (*iter_seek_to_last)(rocksdb_iterator_t *);
static void (*iter_seek)(rocksdb_iterator_t *, const char *, size_t);
static void (*iter_next)(rocksdb_iterator_t *);
static void (*iter_prev)(rocksdb_iterator_t *);
static const char *(*iter_key)(const rocksdb_iterator_t *, size_t *);
static const char *(*iter_value)(const rocksdb_iterator_t *, size_t *);
static void (*iter_get_error)(const rocksdb_iterator_t *, char **);

static rocksdb_t *db;
static rocksdb_readoptions_t *read_options;
static rocksdb_iterator_t *seeking;
static uint64_t keys, state;
static size_t value_bytes;
static double round_length;
static int64_t sum;
static char key[KEY_BYTES];

static void *bind_all(const char *path) {
    void *library = load(path);
    bind(library, "rocksdb_create_iterator", &create_iterator);
    bind(library, "rocksdb_iter_destroy", &iter_destroy);
    bind(library, "rocksdb_iter_valid", &iter_valid);
    bind(library, "rocksdb_iter_seek_to_first", &iter_seek_to_first);
    bind(library, "rocksdb_iter_seek_to_last", &iter_seek_to_last);
    bind(library, "rocksdb_iter_seek", &iter_seek);
    bind(library, "rocksdb_iter_next", &iter_next);
    bind(library, "rocksdb_iter_prev", &iter_prev);
    bind(library, "rocksdb_iter_key", &iter_key);
    bind(library, "rocksdb_iter_value", &iter_value);
    bind(library, "rocksdb_iter_get_error", &iter_get_error);
    return library;
}

static void look(const rocksdb_iterator_t *iterator) {
    size_t key_size, size;
    const char *k = iter_key(iterator, &key_size);
    const char *value = iter_value(iterator, &size);
    if (key_size != KEY_BYTES || size != value_bytes) {
        die("an entry has the wrong size", "");
    }
    sum += k[0] + (int64_t)size + value[0] + value[size - 1];
}

static void require_all(const rocksdb_iterator_t *iterator, uint64_t seen, uint64_t expected) {
    char *error = NULL;
    iter_get_error(iterator, &error);
    if (error || seen != expected) {
        die("cannot read all entries", error ? error : "some are missing");
    }
}

static void scan_all(int is_reverse) {
    rocksdb_iterator_t *iterator = create_iterator(db, read_options);
    uint64_t seen = 0;
    if (is_reverse) {
        for (iter_seek_to_last(iterator); iter_valid(iterator); iter_prev(iterator), seen++) {
            look(iterator);
        }
    } else {
        for (iter_seek_to_first(iterator); iter_valid(iterator); iter_next(iterator), seen++) {
            look(iterator);
        }
    }
    require_all(iterator, seen, keys);
    iter_destroy(iterator);
}

static void scan_range(void) {
    rocksdb_iterator_t *iterator = create_iterator(db, read_options);
    set_index(key, next_index(&state, keys - RANGE_ENTRIES));
    uint64_t seen = 0;
    for (iter_seek(iterator, key, KEY_BYTES); seen < RANGE_ENTRIES && iter_valid(iterator); iter_next(iterator)) {
        look(iterator);
        seen++;
    }
    require_all(iterator, seen, RANGE_ENTRIES);
    iter_destroy(iterator);
}

static void seek(void) {
    set_index(key, next_index(&state, keys));
    iter_seek(seeking, key, KEY_BYTES);
    if (!iter_valid(seeking)) {
        die("cannot seek", "a key is missing");
    }
}

/* How many operations that was. */
static uint64_t once(char form) {
    switch (form) {
    case 'f':
        scan_all(0);
        return keys;
    case 'r':
        scan_range();
        return 1;
    case 'b':
        scan_all(1);
        return keys;
    default:
        for (int i = 0; i < SEEKS; i++) {
            seek();
        }
        return SEEKS;
    }
}

static double round_ns(char form) {
    double start = now_ns(), end;
    uint64_t operations = 0;
    do {
        operations += once(form);
        end = now_ns();
    } while (end - start < round_length);
    return (end - start) / operations;
}

int main(int argc, char **argv) {
    if (argc != 9) {
        die("usage", "scan LIBRARY DATABASE OPTIONS full|backward|range|seek KEYS VALUE_BYTES ROUNDS MILLISECONDS");
    }
    void *library = bind_all(argv[1]);
    char form = argv[4][0];
    keys = strtoull(argv[5], NULL, 10);
    value_bytes = strtoull(argv[6], NULL, 10);
    int rounds = rounds_from(argv[7]);
    round_length = atof(argv[8]) * 1e6;
    if (keys <= RANGE_ENTRIES) {
        die("keys must be more than 100", argv[5]);
    }
    db = open_default(library, options_from(library, argv[3]), argv[2]);
    read_options = default_read_options(library);
    seeking = create_iterator(db, read_options);
    state = SEED;
    memset(key, PADDING, KEY_BYTES);

    double of_round[MAX_ROUNDS];
    scan_all(0);
    round_ns(form);
    for (int i = 0; i < rounds; i++) {
        of_round[i] = round_ns(form);
    }
    printf("%.3f\n", median(of_round, rounds));
    /* Not closed: the process ends, and freeing a full cache takes long. */
    return sum == 0;
}
