/*
 * The work of suite "merge" in C: the merge operators are C functions. RocksDB calls them as it calls those in Java.
 *
 * usage: merge LIBRARY DATABASE OPTIONS increment|append|read KEYS OPERATIONS OPERANDS ROUNDS MILLISECONDS
 * Prints the nanoseconds per operation: the median of ROUNDS rounds of MILLISECONDS each, after one warm-up round. A
 * round of "increment" or "append" does at least OPERATIONS operations, then a compaction that merges them.
 *
 * The keys, values and tasks are those of class MergeCase. The program first deletes an existing database.
 */
#include "engine.h"

enum { KEY_BYTES = 16, NUMBER_BYTES = 8, ELEMENT_BYTES = 16, BATCH = 64 };

/* The part of rocksdb/c.h that this program uses. */
typedef struct rocksdb_mergeoperator_t rocksdb_mergeoperator_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef char *(*full_merge)(void *, const char *, size_t, const char *, size_t, const char *const *, const size_t *,
                            int, unsigned char *, size_t *);
typedef char *(*partial_merge)(void *, const char *, size_t, const char *const *, const size_t *, int,
                               unsigned char *, size_t *);

static void (*close_database)(rocksdb_t *);
static unsigned char (*get_into_buffer)(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t,
                                        char *, size_t, size_t *, unsigned char *, char **);
static void (*put)(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t, char **);
static void (*merge)(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t,
                     char **);
static void (*compact_range)(rocksdb_t *, const char *, size_t, const char *, size_t);

static rocksdb_t *db;
static rocksdb_readoptions_t *read_options;
static rocksdb_writeoptions_t *write_options;
static enum { INCREMENT, APPEND, READ } task;
static uint64_t keys, operations, increments, state = SEED;
static int operands;
static double round_length;
static char key[KEY_BYTES];
static char element[ELEMENT_BYTES];
static const uint64_t zero = 0, one = 1;

static char *add(const char *existing, size_t existing_length, const char *const *list, const size_t *lengths,
                 int count, unsigned char *success, size_t *length) {
    uint64_t sum = 0, operand;
    *length = 0;
    *success = 0;
    if (existing != NULL) {
        if (existing_length != NUMBER_BYTES) {
            return NULL;
        }
        memcpy(&sum, existing, NUMBER_BYTES);
    }
    for (int i = 0; i < count; i++) {
        if (lengths[i] != NUMBER_BYTES) {
            return NULL;
        }
        memcpy(&operand, list[i], NUMBER_BYTES);
        sum += operand;
    }
    char *result = malloc(NUMBER_BYTES);
    memcpy(result, &sum, NUMBER_BYTES);
    *length = NUMBER_BYTES;
    *success = 1;
    return result;
}

static char *join(const char *existing, size_t existing_length, const char *const *list, const size_t *lengths,
                  int count, unsigned char *success, size_t *length) {
    size_t at = existing == NULL ? 0 : existing_length;
    *length = at;
    for (int i = 0; i < count; i++) {
        *length += lengths[i];
    }
    char *result = malloc(*length + 1);
    memcpy(result, existing == NULL ? "" : existing, at);
    for (int i = 0; i < count; i++) {
        memcpy(result + at, list[i], lengths[i]);
        at += lengths[i];
    }
    *success = 1;
    return result;
}

static char *merge_all(void *unused, const char *of, size_t of_length, const char *existing, size_t existing_length,
                       const char *const *list, const size_t *lengths, int count, unsigned char *success,
                       size_t *length) {
    return (task == APPEND ? join : add)(existing, existing_length, list, lengths, count, success, length);
}

static char *merge_some(void *unused, const char *of, size_t of_length, const char *const *list,
                        const size_t *lengths, int count, unsigned char *success, size_t *length) {
    return (task == APPEND ? join : add)(NULL, 0, list, lengths, count, success, length);
}

static const char *name_of(void *unused) {
    return "outcrop.benchmarks.merge";
}

static void nothing(void *unused) {
}

static void bind_all(void *library, rocksdb_options_t *options) {
    bind(library, "rocksdb_close", &close_database);
    bind(library, "rocksdb_get_into_buffer", &get_into_buffer);
    bind(library, "rocksdb_put", &put);
    bind(library, "rocksdb_merge", &merge);
    bind(library, "rocksdb_compact_range", &compact_range);

    rocksdb_writeoptions_t *(*create_write_options)(void);
    void (*disable_wal)(rocksdb_writeoptions_t *, int);
    bind(library, "rocksdb_writeoptions_create", &create_write_options);
    bind(library, "rocksdb_writeoptions_disable_WAL", &disable_wal);
    write_options = create_write_options();
    disable_wal(write_options, 1);

    rocksdb_mergeoperator_t *(*create_operator)(void *, void (*)(void *), full_merge, partial_merge,
                                                void (*)(void *, const char *, size_t), const char *(*)(void *));
    void (*set_operator)(rocksdb_options_t *, rocksdb_mergeoperator_t *);
    bind(library, "rocksdb_mergeoperator_create", &create_operator);
    bind(library, "rocksdb_options_set_merge_operator", &set_operator);
    set_operator(options, create_operator(NULL, nothing, merge_all, merge_some, NULL, name_of));
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

static void check(char *error) {
    if (error) {
        die("cannot write", error);
    }
}

static void put_all(const void *value, size_t length) {
    char *error = NULL;
    for (uint64_t i = 0; i < keys; i++) {
        set_index(key, i);
        put(db, write_options, key, KEY_BYTES, value, length, &error);
        check(error);
    }
}

static void merge_one(uint64_t index, const void *operand, size_t length) {
    char *error = NULL;
    set_index(key, index);
    merge(db, write_options, key, KEY_BYTES, operand, length, &error);
    check(error);
}

static uint64_t number(uint64_t index) {
    char *error = NULL;
    uint64_t value;
    size_t size;
    unsigned char found;
    set_index(key, index);
    unsigned char fits = get_into_buffer(db, read_options, key, KEY_BYTES, (char *)&value, NUMBER_BYTES, &size,
                                         &found, &error);
    if (error || !found || !fits || size != NUMBER_BYTES) {
        die("cannot read", error ? error : "a counter is missing");
    }
    return value;
}

static void fill(void) {
    if (task == APPEND) {
        return;
    }
    put_all(&zero, NUMBER_BYTES);
    if (task == INCREMENT) {
        compact_range(db, NULL, 0, NULL, 0);
    }
    for (int i = 0; task == READ && i < operands; i++) {
        for (uint64_t index = 0; index < keys; index++) {
            merge_one(index, &one, NUMBER_BYTES);
        }
    }
}

static long work(void) {
    if (task == READ) {
        for (int i = 0; i < BATCH; i++) {
            if (number(next_index(&state, keys)) != (uint64_t)operands) {
                die("a counter is wrong", "");
            }
        }
        return BATCH;
    }
    if (task == APPEND) {
        put_all("", 0);
    }
    for (uint64_t i = 0; i < operations; i++) {
        uint64_t index = next_index(&state, keys);
        if (task == APPEND) {
            merge_one(index, element, ELEMENT_BYTES);
        } else {
            merge_one(index, &one, NUMBER_BYTES);
        }
    }
    compact_range(db, NULL, 0, NULL, 0);
    increments += operations;
    return operations;
}

static double round_ns(void) {
    double start = now_ns(), end;
    long done = 0;
    do {
        done += work();
        end = now_ns();
    } while (end - start < round_length);
    return (end - start) / done;
}

static void check_sum(void) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < keys; i++) {
        sum += number(i);
    }
    if (sum != increments) {
        die("increments were lost", "");
    }
}

int main(int argc, char **argv) {
    if (argc != 10) {
        die("usage", "merge LIBRARY DATABASE OPTIONS increment|append|read KEYS OPERATIONS OPERANDS ROUNDS "
                     "MILLISECONDS");
    }
    task = strcmp(argv[4], "increment") == 0 ? INCREMENT : strcmp(argv[4], "append") == 0 ? APPEND : READ;
    keys = strtoull(argv[5], NULL, 10);
    operations = strtoull(argv[6], NULL, 10);
    operands = atoi(argv[7]);
    int rounds = rounds_from(argv[8]);
    round_length = atof(argv[9]) * 1e6;
    memset(key, PADDING, sizeof key);
    memset(element, PADDING, sizeof element);

    void *library = load(argv[1]);
    rocksdb_options_t *options = options_from(library, argv[3]);
    bind_all(library, options);
    destroy(library, options, argv[2]);
    db = open_default(library, options, argv[2]);
    read_options = default_read_options(library);
    fill();
    round_ns();
    double ns[MAX_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        ns[i] = round_ns();
    }
    if (task == INCREMENT) {
        check_sum();
    }
    print_figure("time", median(ns, rounds));
    close_database(db);
    return 0;
}
