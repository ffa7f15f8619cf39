/*
 * What suite "multiget" costs in C: many cached values at once through RocksDB's C API, from the same library and
 * database.
 *
 * usage: multiget LIBRARY DATABASE OPTIONS pinned|slab|copied FAMILIES one|random KEYS VALUE_BYTES ROUNDS MILLISECONDS
 * Prints the nanoseconds one call for CALL_KEYS keys takes: the median of ROUNDS rounds of MILLISECONDS each, after one
 * that does not count.
 *
 * "pinned" makes one batched look-up for each column family, "slab" does so and copies the values one behind another,
 * "copied" looks up all column families at once and gets every value in memory of its own. A key is its index in eight
 * bytes, big-endian, and padding. All that is done with a value is to look at its size, its first byte and its last
 * byte. The Java sides do the same, with the same sequence of keys.
 */
#include <stdbool.h>

#include "engine.h"

enum { KEY_BYTES = 1024, CALL_KEYS = 100, MAX_FAMILIES = 1000 };

/* The part of rocksdb/c.h that is used here. */
typedef struct rocksdb_column_family_handle_t rocksdb_column_family_handle_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;
typedef struct {
    const char *data;
    size_t size;
} rocksdb_slice_t;

static rocksdb_t *(*open_database)(const rocksdb_options_t *, const char *, int, const char *const *,
                                   const rocksdb_options_t *const *, rocksdb_column_family_handle_t **, char **);
static void (*batched_multi_get)(rocksdb_t *, const rocksdb_readoptions_t *, rocksdb_column_family_handle_t *, size_t,
                                 const rocksdb_slice_t *, rocksdb_pinnableslice_t **, char **, bool);
static void (*multi_get)(rocksdb_t *, const rocksdb_readoptions_t *, const rocksdb_column_family_handle_t *const *,
                         size_t, const char *const *, const size_t *, char **, size_t *, char **);
static const char *(*pinned_value)(const rocksdb_pinnableslice_t *, size_t *);
static void (*pinned_destroy)(rocksdb_pinnableslice_t *);
static void (*rocksdb_free)(void *);

static rocksdb_t *db;
static rocksdb_readoptions_t *read_options;
static rocksdb_column_family_handle_t *handles[MAX_FAMILIES + 1];
static int families, is_random;
static uint64_t keys, state;
static size_t value_bytes;
static double round_length;
static int64_t sum;

static char key_memory[CALL_KEYS][KEY_BYTES];
static int family_of[CALL_KEYS], starts[MAX_FAMILIES + 2];
static char *slab;

static void *bind_all(const char *path) {
    void *library = load(path);
    bind(library, "rocksdb_open_column_families", &open_database);
    bind(library, "rocksdb_batched_multi_get_cf_slice", &batched_multi_get);
    bind(library, "rocksdb_multi_get_cf", &multi_get);
    bind(library, "rocksdb_pinnableslice_value", &pinned_value);
    bind(library, "rocksdb_pinnableslice_destroy", &pinned_destroy);
    bind(library, "rocksdb_free", &rocksdb_free);
    return library;
}

/* Handle 0 is the default family, which is read if there is no other one. */
static void set_key(int i, uint64_t index) {
    set_index(key_memory[i], index);
    family_of[i] = families == 0 ? 0 : is_random ? 1 + (int)(index % families) : 1;
}

static void look(const char *value, size_t size) {
    if (size != value_bytes) {
        die("a value has the wrong size", "");
    }
    sum += (int64_t)size + value[0] + value[size - 1];
}

static void requires(const void *value, const char *error) {
    if (error || value == NULL) {
        die("cannot read", error ? error : "a key is missing");
    }
}

static void call_pinned(int copies) {
    rocksdb_slice_t slices[CALL_KEYS];
    rocksdb_pinnableslice_t *values[CALL_KEYS];
    char *errors[CALL_KEYS];
    memset(starts, 0, sizeof(int) * (families + 2));
    for (int i = 0; i < CALL_KEYS; i++) {
        starts[family_of[i] + 1]++;
    }
    for (int f = 0; f <= families; f++) {
        starts[f + 1] += starts[f];
    }
    for (int i = 0; i < CALL_KEYS; i++) {
        rocksdb_slice_t *slice = &slices[starts[family_of[i]]++];
        slice->data = key_memory[i];
        slice->size = KEY_BYTES;
    }
    for (int f = 0, from = 0; f <= families; from = starts[f++]) {
        if (starts[f] > from) {
            batched_multi_get(db, read_options, handles[f], starts[f] - from, slices + from, values + from,
                              errors + from, false);
        }
    }
    size_t offset = 0;
    for (int i = 0; i < CALL_KEYS; i++) {
        size_t size;
        requires(values[i], errors[i]);
        const char *value = pinned_value(values[i], &size);
        if (copies) {
            value = memcpy(slab + offset, value, size);
            offset += size;
        }
        look(value, size);
    }
    for (int i = 0; i < CALL_KEYS; i++) {
        pinned_destroy(values[i]);
    }
}

static void call_copied(void) {
    const rocksdb_column_family_handle_t *of[CALL_KEYS];
    const char *data[CALL_KEYS];
    size_t lengths[CALL_KEYS], sizes[CALL_KEYS];
    char *values[CALL_KEYS], *errors[CALL_KEYS];
    for (int i = 0; i < CALL_KEYS; i++) {
        of[i] = handles[family_of[i]];
        data[i] = key_memory[i];
        lengths[i] = KEY_BYTES;
    }
    multi_get(db, read_options, of, CALL_KEYS, data, lengths, values, sizes, errors);
    for (int i = 0; i < CALL_KEYS; i++) {
        requires(values[i], errors[i]);
        look(values[i], sizes[i]);
        rocksdb_free(values[i]);
    }
}

static void call(const char *form) {
    if (form[0] == 'c') {
        call_copied();
    } else {
        call_pinned(form[0] == 's');
    }
}

static double round_ns(const char *form) {
    double start = now_ns(), end;
    long calls = 0;
    do {
        for (int i = 0; i < CALL_KEYS; i++) {
            set_key(i, next_index(&state, keys));
        }
        call(form);
        calls++;
        end = now_ns();
    } while (end - start < round_length);
    return (end - start) / calls;
}

static void warm(void) {
    for (uint64_t index = 0; index < keys; index += CALL_KEYS) {
        for (int i = 0; i < CALL_KEYS; i++) {
            set_key(i, (index + i) % keys);
        }
        call_pinned(0);
    }
}

static void open_all(void *library, const char *path, const char *text) {
    char *error = NULL;
    rocksdb_options_t *options = options_from(library, text);
    static char names[MAX_FAMILIES + 1][32];
    const char *name_list[MAX_FAMILIES + 1];
    const rocksdb_options_t *option_list[MAX_FAMILIES + 1];
    for (int f = 0; f <= families; f++) {
        snprintf(names[f], sizeof names[f], f == 0 ? "default" : "family%d", f);
        name_list[f] = names[f];
        option_list[f] = options;
    }
    db = open_database(options, path, families + 1, name_list, option_list, handles, &error);
    if (error) {
        die("cannot open the database", error);
    }
    read_options = default_read_options(library);
}

int main(int argc, char **argv) {
    if (argc != 11) {
        die("usage", "multiget LIBRARY DATABASE OPTIONS pinned|slab|copied FAMILIES one|random KEYS VALUE_BYTES ROUNDS "
                     "MILLISECONDS");
    }
    void *library = bind_all(argv[1]);
    state = SEED;
    families = atoi(argv[5]);
    is_random = strcmp(argv[6], "random") == 0;
    keys = strtoull(argv[7], NULL, 10);
    value_bytes = strtoull(argv[8], NULL, 10);
    int rounds = rounds_from(argv[9]);
    round_length = atof(argv[10]) * 1e6;
    if (families < 0 || families > MAX_FAMILIES) {
        die("families must be between 0 and 1000", argv[5]);
    }
    open_all(library, argv[2], argv[3]);
    slab = malloc(CALL_KEYS * value_bytes);
    memset(key_memory, PADDING, sizeof key_memory);
    warm();
    double of_round[MAX_ROUNDS];
    round_ns(argv[4]);
    for (int i = 0; i < rounds; i++) {
        of_round[i] = round_ns(argv[4]);
    }
    printf("%.3f\n", median(of_round, rounds));
    /* Not closed: the process ends, and freeing a full cache takes long. */
    return sum == 0;
}
