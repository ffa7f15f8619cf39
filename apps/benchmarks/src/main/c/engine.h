/* Shared by the limit programs for RocksDB: the library, its options, keys, and the same random numbers as in Java. */
#ifndef OUTCROP_ENGINE_H
#define OUTCROP_ENGINE_H

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

/* The part of rocksdb/c.h that all these programs use. */
typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;

static const char PADDING = 'k';
static const uint64_t SEED = 0x9E3779B97F4A7C15u;

static inline void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        die("cannot load the library", dlerror());
    }
    return library;
}

/* Stores the address of a function of the library in a function pointer. */
static inline void bind(void *library, const char *name, void *pointer) {
    void *address = dlsym(library, name);
    if (address == NULL) {
        die("the library has no function", name);
    }
    memcpy(pointer, &address, sizeof address);
}

static inline rocksdb_options_t *options_from(void *library, const char *text) {
    rocksdb_options_t *(*create)(void);
    void (*from_string)(const rocksdb_options_t *, const char *, rocksdb_options_t *, char **);
    bind(library, "rocksdb_options_create", &create);
    bind(library, "rocksdb_get_options_from_string", &from_string);
    char *error = NULL;
    rocksdb_options_t *options = create();
    from_string(options, text, options, &error);
    if (error) {
        die("cannot set the options", error);
    }
    return options;
}

static inline rocksdb_t *open_default(void *library, const rocksdb_options_t *options, const char *path) {
    rocksdb_t *(*open)(const rocksdb_options_t *, const char *, char **);
    bind(library, "rocksdb_open", &open);
    char *error = NULL;
    rocksdb_t *db = open(options, path, &error);
    if (error) {
        die("cannot open the database", error);
    }
    return db;
}

static inline rocksdb_readoptions_t *default_read_options(void *library) {
    rocksdb_readoptions_t *(*create)(void);
    bind(library, "rocksdb_readoptions_create", &create);
    return create();
}

/* Writes the index of a key in eight bytes, big-endian. The other bytes of a key are padding. */
static inline void set_index(char *key, uint64_t index) {
    for (int i = 0; i < 8; i++) {
        key[i] = (char)(index >> (56 - 8 * i));
    }
}

/* xorshift64. The first state of a thread is SEED times the thread's number, from 1 on. */
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline uint64_t next_index(uint64_t *state, uint64_t keys) {
    return (next_random(state) >> 32) * keys >> 32;
}

#endif
