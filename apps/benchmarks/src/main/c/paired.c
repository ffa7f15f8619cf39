/*
 * The tasks of the suites "paired", "dropin" and "lmdb" in C: functions for a JVM to load. They use RocksDB's C API on a database that is
 * open in the same process. They never close it.
 *
 * A function does the number of operations in its task; a scan reads the whole database. A function that reads returns a checksum. A
 * function that writes or builds batches returns the number of records. A key is its index in eight bytes, big-endian, and padding;
 * random keys follow from the seed. Of a value, a function reads the size, the first byte and the last byte; a function that touches
 * values also reads a byte of each cache line. A function with an iterator also reads the last byte of the key's index. The Java sides do
 * the same, with the same keys.
 */
#include <stdbool.h>

#include "engine.h"

enum { KEY_BYTES = 16, CALL_KEYS = 100, MOST_CALL_KEY_BYTES = 1024, MAX_FAMILIES = 1000 };
enum { SAME = 0, RANDOM = 1, ASCENDING = 2 };
enum { MOST_KEY_BYTES = 128, WRITTEN_BYTES = 100, CACHE_LINE = 64 };
/* More than the caches hold, like the young generation of a heap. */
enum { NEW_BYTES = 64 << 20, NEW_ALIGNMENT = 8 };

static const char VALUE = 'v';

/* The part of rocksdb/c.h that these functions use. */
typedef struct rocksdb_iterator_t rocksdb_iterator_t;
typedef struct rocksdb_column_family_handle_t rocksdb_column_family_handle_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;
typedef struct rocksdb_pinnable_handle_t rocksdb_pinnable_handle_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;
typedef struct {
    const char *data;
    size_t size;
} rocksdb_slice_t;

/* The task of a function. families[0] is the default column family. It has the keys if there are no other column families. */
struct task {
    rocksdb_t *db;
    rocksdb_column_family_handle_t **families;
    uint64_t other_families;
    uint64_t keys;
    uint64_t value_bytes;
    uint64_t operations;
    uint64_t records; /* in a batch */
    uint64_t key_bytes;
    uint64_t choice;  /* the keys that are read: SAME, RANDOM or ASCENDING */
    uint64_t entries; /* in a range */
};

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
static void (*batched_multi_get)(rocksdb_t *, const rocksdb_readoptions_t *, rocksdb_column_family_handle_t *, size_t,
                                 const rocksdb_slice_t *, rocksdb_pinnableslice_t **, char **, bool);
static const char *(*pinned_value)(const rocksdb_pinnableslice_t *, size_t *);
static void (*pinned_destroy)(rocksdb_pinnableslice_t *);
static unsigned char (*get_into_buffer)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t, char *,
                                        size_t, size_t *, unsigned char *, char **);
static rocksdb_pinnable_handle_t *(*get_handle)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t,
                                                char **);
static const char *(*handle_value)(const rocksdb_pinnable_handle_t *, size_t *);
static void (*handle_destroy)(rocksdb_pinnable_handle_t *);
static rocksdb_writeoptions_t *(*writeoptions_create)(void);
static void (*disable_wal)(rocksdb_writeoptions_t *, int);
static void (*put)(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t, char **);
static rocksdb_writebatch_t *(*batch_create)(void);
static void (*batch_clear)(rocksdb_writebatch_t *);
static void (*batch_put)(rocksdb_writebatch_t *, const char *, size_t, const char *, size_t);
static void (*write_batch)(rocksdb_t *, const rocksdb_writeoptions_t *, rocksdb_writebatch_t *, char **);
static rocksdb_column_family_handle_t *(*get_default_family)(rocksdb_t *);

static rocksdb_readoptions_t *read_options;
static rocksdb_writeoptions_t *write_options;
static char key[KEY_BYTES], written[WRITTEN_BYTES];

/* Must be called first, with the path of the library that the JVM has already loaded. */
void use_library(const char *path) {
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
    bind(library, "rocksdb_batched_multi_get_cf_slice", &batched_multi_get);
    bind(library, "rocksdb_pinnableslice_value", &pinned_value);
    bind(library, "rocksdb_pinnableslice_destroy", &pinned_destroy);
    bind(library, "rocksdb_get_into_buffer", &get_into_buffer);
    bind(library, "rocksdb_get_pinned_v2", &get_handle);
    bind(library, "rocksdb_pinnable_handle_get_value", &handle_value);
    bind(library, "rocksdb_pinnable_handle_destroy", &handle_destroy);
    bind(library, "rocksdb_writeoptions_create", &writeoptions_create);
    bind(library, "rocksdb_writeoptions_disable_WAL", &disable_wal);
    bind(library, "rocksdb_put", &put);
    bind(library, "rocksdb_writebatch_create", &batch_create);
    bind(library, "rocksdb_writebatch_clear", &batch_clear);
    bind(library, "rocksdb_writebatch_put", &batch_put);
    bind(library, "rocksdb_write", &write_batch);
    bind(library, "rocksdb_get_default_column_family_handle", &get_default_family);
    read_options = default_read_options(library);
    write_options = writeoptions_create();
    disable_wal(write_options, 1);
    memset(key, PADDING, sizeof key);
    memset(written, VALUE, sizeof written);
}

/* Returns the handle of the default column family. It is valid while the database is open. */
int64_t default_family(rocksdb_t *db) {
    return (int64_t)get_default_family(db);
}

/*
 * Returns memory for a copy, for the tasks that measure APIs that return a new array. Each call returns the next bytes of a large block.
 * The block starts over at its end; by then, no cache holds its first bytes. Each thread has a separate block.
 */
static inline char *new_memory(size_t size) {
    static _Thread_local char *memory;
    static _Thread_local size_t used;
    if (memory == NULL) {
        memory = malloc(NEW_BYTES);
        memset(memory, 1, NEW_BYTES);
    }
    if (size > NEW_BYTES - used) {
        used = 0;
    }
    char *start = memory + used;
    used += (size + NEW_ALIGNMENT - 1) / NEW_ALIGNMENT * NEW_ALIGNMENT;
    return start;
}

static inline const char *new_copy(const char *bytes, size_t size) {
    return memcpy(new_memory(size), bytes, size);
}

static int64_t look(const rocksdb_iterator_t *iterator) {
    size_t key_size, size;
    const char *k = iter_key(iterator, &key_size);
    const char *value = iter_value(iterator, &size);
    return k[7] + (int64_t)size + value[0] + value[size - 1];
}

static int64_t look_at_copies(const rocksdb_iterator_t *iterator) {
    size_t key_size, size;
    const char *found_key = iter_key(iterator, &key_size);
    const char *k = new_copy(found_key, key_size);
    const char *found_value = iter_value(iterator, &size);
    const char *value = new_copy(found_value, size);
    return k[7] + (int64_t)size + value[0] + value[size - 1];
}

static inline int64_t scan(const struct task *task, int64_t (*look_at)(const rocksdb_iterator_t *)) {
    int64_t sum = 0;
    rocksdb_iterator_t *iterator = create_iterator(task->db, read_options);
    for (iter_seek_to_first(iterator); iter_valid(iterator); iter_next(iterator)) {
        sum += look_at(iterator);
    }
    iter_destroy(iterator);
    return sum;
}

int64_t scan_forward(const struct task *task, uint64_t seed) {
    (void)seed;
    return scan(task, look);
}

int64_t scan_into_new(const struct task *task, uint64_t seed) {
    (void)seed;
    return scan(task, look_at_copies);
}

int64_t scan_backward(const struct task *task, uint64_t seed) {
    (void)seed;
    int64_t sum = 0;
    rocksdb_iterator_t *iterator = create_iterator(task->db, read_options);
    for (iter_seek_to_last(iterator); iter_valid(iterator); iter_prev(iterator)) {
        sum += look(iterator);
    }
    iter_destroy(iterator);
    return sum;
}

static inline int64_t ranges(const struct task *task, uint64_t seed, int64_t (*look_at)(const rocksdb_iterator_t *)) {
    int64_t sum = 0;
    char key[KEY_BYTES];
    memset(key, PADDING, sizeof key);
    for (uint64_t i = 0; i < task->operations; i++) {
        rocksdb_iterator_t *iterator = create_iterator(task->db, read_options);
        set_index(key, next_index(&seed, task->keys - task->entries));
        uint64_t seen = 0;
        for (iter_seek(iterator, key, KEY_BYTES); seen < task->entries && iter_valid(iterator); iter_next(iterator)) {
            sum += look_at(iterator);
            seen++;
        }
        iter_destroy(iterator);
    }
    return sum;
}

/* Any number of threads may read at once. */
int64_t scan_ranges(const struct task *task, uint64_t seed) {
    return ranges(task, seed, look);
}

int64_t ranges_into_new(const struct task *task, uint64_t seed) {
    return ranges(task, seed, look_at_copies);
}

int64_t seek_keys(const struct task *task, uint64_t seed) {
    static rocksdb_iterator_t *iterator;
    if (iterator == NULL) {
        iterator = create_iterator(task->db, read_options);
    }
    int64_t found = 0;
    for (uint64_t i = 0; i < task->operations; i++) {
        set_index(key, next_index(&seed, task->keys));
        iter_seek(iterator, key, KEY_BYTES);
        found += iter_valid(iterator);
    }
    return found + look(iterator);
}

/* Reads one byte of each cache line, except for the first and the last byte. Returns 0 if the bytes are as written. */
static inline int64_t touch(const char *value, size_t size) {
    int64_t sum = 0;
    for (size_t i = CACHE_LINE; i + 1 < size; i += CACHE_LINE) {
        sum += value[i] - VALUE;
    }
    return sum;
}

/* Returns the first state for next_choice. */
static inline uint64_t first_choice(const struct task *task, uint64_t seed) {
    return task->choice == ASCENDING ? seed % task->keys : seed;
}

/* Returns the index of the next key to read. */
static inline uint64_t next_choice(const struct task *task, uint64_t *state) {
    if (task->choice == RANDOM) {
        return next_index(state, task->keys);
    }
    if (task->choice == ASCENDING) {
        uint64_t index = *state;
        *state = index + 1 == task->keys ? 0 : index + 1;
        return index;
    }
    return task->keys / 2;
}

/* Any number of threads may read at once, also with the other functions that read one value per call. */
static inline int64_t read_buffer(const struct task *task, uint64_t seed, bool is_touched, bool is_new) {
    static _Thread_local char *kept;
    if (kept == NULL) {
        kept = malloc(task->value_bytes);
    }
    char *error = NULL, key[MOST_KEY_BYTES];
    memset(key, PADDING, sizeof key);
    int64_t sum = 0;
    uint64_t state = first_choice(task, seed);
    for (uint64_t i = 0; i < task->operations; i++) {
        size_t size;
        unsigned char found;
        set_index(key, next_choice(task, &state));
        char *buffer = is_new ? new_memory(task->value_bytes) : kept;
        if (!get_into_buffer(task->db, read_options, key, task->key_bytes, buffer, task->value_bytes, &size, &found,
                             &error) || !found) {
            die("cannot read", error ? error : "a key is missing");
        }
        sum += (int64_t)size + buffer[0] + buffer[size - 1];
        if (is_touched) {
            sum += touch(buffer, size);
        }
    }
    return sum;
}

static inline int64_t read_handle(const struct task *task, uint64_t seed, bool is_touched) {
    char *error = NULL, key[MOST_KEY_BYTES];
    memset(key, PADDING, sizeof key);
    int64_t sum = 0;
    uint64_t state = first_choice(task, seed);
    for (uint64_t i = 0; i < task->operations; i++) {
        size_t size;
        set_index(key, next_choice(task, &state));
        rocksdb_pinnable_handle_t *handle = get_handle(task->db, read_options, key, task->key_bytes, &error);
        if (error || handle == NULL) {
            die("cannot read", error ? error : "a key is missing");
        }
        const char *value = handle_value(handle, &size);
        sum += (int64_t)size + value[0] + value[size - 1];
        if (is_touched) {
            sum += touch(value, size);
        }
        handle_destroy(handle);
    }
    return sum;
}

int64_t read_into_buffer(const struct task *task, uint64_t seed) {
    return read_buffer(task, seed, false, false);
}

int64_t read_into_new(const struct task *task, uint64_t seed) {
    return read_buffer(task, seed, false, true);
}

int64_t touch_in_buffer(const struct task *task, uint64_t seed) {
    return read_buffer(task, seed, true, false);
}

int64_t read_pinned(const struct task *task, uint64_t seed) {
    return read_handle(task, seed, false);
}

int64_t touch_pinned(const struct task *task, uint64_t seed) {
    return read_handle(task, seed, true);
}

/* Makes one batched look-up for each column family that has any of the keys. */
static int64_t get(const struct task *task, uint64_t seed, char *copies, bool is_new) {
    static char keys[CALL_KEYS][MOST_CALL_KEY_BYTES];
    int family_of[CALL_KEYS], starts[MAX_FAMILIES + 2];
    rocksdb_slice_t slices[CALL_KEYS];
    rocksdb_pinnableslice_t *values[CALL_KEYS];
    char *errors[CALL_KEYS];
    int families = (int)task->other_families;
    int64_t sum = 0;
    if (keys[0][MOST_CALL_KEY_BYTES - 1] != PADDING) {
        memset(keys, PADDING, sizeof keys);
    }
    for (uint64_t call = 0; call < task->operations; call++) {
        memset(starts, 0, sizeof(int) * (families + 2));
        for (int i = 0; i < CALL_KEYS; i++) {
            uint64_t index = next_index(&seed, task->keys);
            set_index(keys[i], index);
            family_of[i] = families == 0 ? 0 : 1 + (int)(index % families);
            starts[family_of[i] + 1]++;
        }
        for (int f = 0; f <= families; f++) {
            starts[f + 1] += starts[f];
        }
        for (int i = 0; i < CALL_KEYS; i++) {
            slices[starts[family_of[i]]++] = (rocksdb_slice_t){keys[i], task->key_bytes};
        }
        for (int f = 0, from = 0; f <= families; from = starts[f++]) {
            if (starts[f] > from) {
                batched_multi_get(task->db, read_options, task->families[f], starts[f] - from, slices + from,
                                  values + from, errors + from, false);
            }
        }
        char *to = is_new ? new_memory(CALL_KEYS * task->value_bytes) : copies;
        for (int i = 0; i < CALL_KEYS; i++) {
            if (errors[i] || values[i] == NULL) {
                die("cannot read", errors[i] ? errors[i] : "a key is missing");
            }
            size_t size;
            const char *value = pinned_value(values[i], &size);
            if (to) {
                value = memcpy(to, value, size);
                to += size;
            }
            sum += (int64_t)size + value[0] + value[size - 1];
        }
        for (int i = 0; i < CALL_KEYS; i++) {
            pinned_destroy(values[i]);
        }
    }
    return sum;
}

int64_t get_pinned(const struct task *task, uint64_t seed) {
    return get(task, seed, NULL, false);
}

int64_t get_copied(const struct task *task, uint64_t seed) {
    static char *copies;
    if (copies == NULL) {
        copies = malloc(CALL_KEYS * task->value_bytes);
    }
    return get(task, seed, copies, false);
}

int64_t get_into_new(const struct task *task, uint64_t seed) {
    return get(task, seed, NULL, true);
}

/* The seed is the index of the first key. Any number of threads may write at once. */
int64_t put_keys(const struct task *task, uint64_t first) {
    char *error = NULL, key[KEY_BYTES];
    memset(key, PADDING, sizeof key);
    for (uint64_t i = 0; i < task->operations; i++) {
        set_index(key, first + i);
        put(task->db, write_options, key, KEY_BYTES, written, WRITTEN_BYTES, &error);
        if (error) {
            die("cannot put", error);
        }
    }
    return (int64_t)task->operations;
}

static inline int64_t fill_batches(const struct task *task, uint64_t first, bool is_written) {
    static _Thread_local rocksdb_writebatch_t *thread_batch;
    if (thread_batch == NULL) {
        thread_batch = batch_create();
    }
    rocksdb_writebatch_t *batch = thread_batch;
    char *error = NULL, key[KEY_BYTES];
    memset(key, PADDING, sizeof key);
    for (uint64_t i = 0; i < task->operations; i++) {
        batch_clear(batch);
        for (uint64_t record = 0; record < task->records; record++) {
            set_index(key, first++);
            batch_put(batch, key, KEY_BYTES, written, WRITTEN_BYTES);
        }
        if (is_written) {
            write_batch(task->db, write_options, batch, &error);
        }
        if (error) {
            die("cannot write", error);
        }
    }
    return (int64_t)(task->operations * task->records);
}

/* The seed is the index of the first key. Any number of threads may write at once. */
int64_t write_batches(const struct task *task, uint64_t first) {
    return fill_batches(task, first, true);
}

/* The seed is the index of the first key. Fills the batches and does not write them. */
int64_t build_batches(const struct task *task, uint64_t first) {
    return fill_batches(task, first, false);
}
