/*
 * The work of suite "pipeline" in C, without a queue: functions for a JVM to load.
 *
 * The records are in a mapped file. A record is its length in eight bytes, then its payload. The records are put into batches, and each
 * batch ends with a position. The batches are written to a new database with RocksDB's default options, through its C API. A second
 * thread syncs the log meanwhile, and the rest of the log is synced at the end, as in a pipeline. Each run maps the file again, because a
 * queue's records are read once.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"

enum { KEY_BYTES = 8, LENGTH_BYTES = 8, BATCH_BYTES = 256 << 10, POSITION_BYTES = 48 };
/* A sync of the log starts after this number of bytes. */
enum { LOG_BYTES = 32 << 20 };

/* The part of rocksdb/c.h that these functions use. */
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;

static rocksdb_writeoptions_t *(*writeoptions_create)(void);
static rocksdb_writebatch_t *(*batch_create)(void);
static void (*batch_clear)(rocksdb_writebatch_t *);
static void (*batch_put)(rocksdb_writebatch_t *, const char *, size_t, const char *, size_t);
static void (*write_batch)(rocksdb_t *, const rocksdb_writeoptions_t *, rocksdb_writebatch_t *, char **);
static void (*flush_wal)(rocksdb_t *, unsigned char, char **);
static void (*close_database)(rocksdb_t *);

static void *library;
static rocksdb_writeoptions_t *write_options;
static rocksdb_writebatch_t *batch;
static rocksdb_options_t *options;
static int records_file;
static size_t records_size;
static const char *records;
static rocksdb_t *db;

/* Must be called first, with the path of the library that the JVM has already loaded, and the file with the records. */
void use_library(const char *path, const char *file) {
    library = load(path);
    bind(library, "rocksdb_writeoptions_create", &writeoptions_create);
    bind(library, "rocksdb_writebatch_create", &batch_create);
    bind(library, "rocksdb_writebatch_clear", &batch_clear);
    bind(library, "rocksdb_writebatch_put", &batch_put);
    bind(library, "rocksdb_write", &write_batch);
    bind(library, "rocksdb_flush_wal", &flush_wal);
    bind(library, "rocksdb_close", &close_database);
    write_options = writeoptions_create();
    options = options_from(library, "create_if_missing=true");
    batch = batch_create();
    records_file = open(file, O_RDONLY);
    struct stat status;
    if (records_file < 0 || fstat(records_file, &status) != 0) {
        die("cannot open the records", file);
    }
    records_size = (size_t)status.st_size;
}

static void require_none(const char *error) {
    if (error != NULL) {
        die("cannot write", error);
    }
}

static void write_with_position(uint64_t next) {
    static char position[POSITION_BYTES];
    char *error = NULL;
    memcpy(position, &next, sizeof next);
    batch_put(batch, "position", KEY_BYTES, position, sizeof position);
    write_batch(db, write_options, batch, &error);
    require_none(error);
    batch_clear(batch);
}

void open_empty(const char *path) {
    db = open_default(library, options, path);
    records = mmap(NULL, records_size, PROT_READ, MAP_SHARED, records_file, 0);
    if (records == MAP_FAILED) {
        die("cannot map the records for", path);
    }
}

void close_again(void) {
    close_database(db);
    munmap((void *)records, records_size);
}

static void sync_log(void) {
    char *error = NULL;
    flush_wal(db, 1, &error);
    require_none(error);
}

static void *sync_meanwhile(void *unused) {
    sync_log();
    return unused;
}

static void await(bool is_syncing, pthread_t syncing) {
    if (is_syncing && pthread_join(syncing, NULL) != 0) {
        die("cannot wait for", "a thread");
    }
}

/* Writes all records and returns their number. */
int64_t ingest(void) {
    uint64_t next = 0;
    size_t bytes = 0;
    size_t log_bytes = 0;
    pthread_t syncing;
    bool is_syncing = false;
    for (const char *record = records; record < records + records_size; next++) {
        uint64_t length;
        memcpy(&length, record, sizeof length);
        const char *payload = record + LENGTH_BYTES;
        batch_put(batch, payload, KEY_BYTES, payload, length);
        bytes += KEY_BYTES + length;
        record = payload + (length + 7) / 8 * 8;
        if (bytes >= BATCH_BYTES) {
            write_with_position(next + 1);
            log_bytes += bytes;
            bytes = 0;
        }
        if (log_bytes >= LOG_BYTES) {
            await(is_syncing, syncing);
            is_syncing = pthread_create(&syncing, NULL, sync_meanwhile, NULL) == 0;
            log_bytes = 0;
        }
    }
    write_with_position(next);
    await(is_syncing, syncing);
    sync_log();
    return (int64_t)next;
}
