/*
 * CRC-32C of a multiple of 8 bytes, with instructions of the processor. A processor that multiplies polynomials in vectors of 64 bytes
 * folds (Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009). Any other processor
 * computes three streams at once: the instruction for a word takes some cycles, but most processors can begin one in each cycle.
 */
#ifndef OUTCROP_CRC32C_H
#define OUTCROP_CRC32C_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

#if defined(__SSE4_2__) && defined(__PCLMUL__)
#include <nmmintrin.h>
#include <wmmintrin.h>

#define HAS_CRC32C 1

static inline uint64_t crc_word(uint64_t crc, uint64_t word) {
    return _mm_crc32_u64(crc, word);
}

static inline uint64_t multiply(uint32_t a, uint32_t b) {
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi32_si128((int)a), _mm_cvtsi32_si128((int)b), 0));
}
#elif defined(__ARM_FEATURE_CRC32) && defined(__ARM_FEATURE_AES)
#include <arm_acle.h>
#include <arm_neon.h>

#define HAS_CRC32C 1

static inline uint64_t crc_word(uint64_t crc, uint64_t word) {
    return __crc32cd((uint32_t)crc, word);
}

static inline uint64_t multiply(uint32_t a, uint32_t b) {
    return vgetq_lane_u64(vreinterpretq_u64_p128(vmull_p64(a, b)), 0);
}
#else
#define HAS_CRC32C 0

static inline uint64_t crc_word(uint64_t crc, uint64_t word) {
    die("no instruction for CRC-32C", "");
    return crc ^ word;
}

static inline uint64_t multiply(uint32_t a, uint32_t b) {
    return (uint64_t)a * b;
}
#endif

enum { STREAM_WORDS = 128, SMALLEST_STREAM_WORDS = 8 };

/* By the number of words: x to the power of (64 * words - 33), modulo the polynomial. */
static uint32_t shifts[2 * STREAM_WORDS + 1];

/* Returns the checksum after this number of words of zeros. */
static inline uint64_t shifted(uint64_t crc, size_t words) {
    /* The instruction multiplies by x to the power of 32. The product of two bit-reflected numbers has 63 bits, not 64. */
    return crc_word(0, multiply((uint32_t)crc, shifts[words]));
}

static inline uint64_t load(const char *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

static inline uint64_t move(char *to, const char *from) {
    uint64_t word = load(from);
    if (to != NULL) {
        memcpy(to, &word, sizeof word);
    }
    return word;
}

#if defined(__AVX512F__) && defined(__VPCLMULQDQ__) && HAS_CRC32C
#include <immintrin.h>

enum { VECTOR = 64, VECTORS = 4 };

/* The factors that shift each of the four lanes of a vector by 2048 or by 512 bits, or each lane to the place of the last lane. */
static uint64_t by_2048[8], by_512[8], to_last[8];

/* Returns x to a power, modulo the polynomial, in the upper half of a word. */
static uint64_t power(int exponent) {
    uint32_t result = 1U << 31;
    for (int i = 0; i < exponent; i++) {
        result = result >> 1 ^ (result & 1 ? 0x82F63B78U : 0);
    }
    return (uint64_t)result << 32;
}

static void prepare_folding(void) {
    for (int lane = 0; lane < 4; lane++) {
        int last = 128 * (3 - lane);
        /* The product of two bit-reflected words has 127 bits, not 128. The first word of a lane has the higher powers of x. */
        by_2048[2 * lane] = power(2048 + 63);
        by_2048[2 * lane + 1] = power(2048 - 1);
        by_512[2 * lane] = power(512 + 63);
        by_512[2 * lane + 1] = power(512 - 1);
        to_last[2 * lane] = last == 0 ? 0 : power(last + 63);
        to_last[2 * lane + 1] = last == 0 ? 0 : power(last - 1);
    }
}

static inline __m512i fold(__m512i vector, __m512i by, __m512i with) {
    return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(vector, by, 0x00), _mm512_clmulepi64_epi128(vector, by, 0x11), with, 0x96);
}

static inline __m512i move_vector(char *to, const char *from) {
    __m512i vector = _mm512_loadu_si512(from);
    if (to != NULL) {
        _mm512_storeu_si512(to, vector);
    }
    return vector;
}

/* Continues a checksum over whole vectors, at least one. Copies them if "to" is not NULL. */
static inline __attribute__((always_inline)) uint64_t crc_vectors(uint64_t crc, char *to, const char *from, size_t vectors) {
    __m512i folded = _mm512_xor_si512(move_vector(to, from), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc)));
    __m512i next = _mm512_loadu_si512(by_512);
    size_t at = VECTOR;
    size_t end = vectors * VECTOR;
    if (vectors >= 2 * VECTORS) {
        __m512i far = _mm512_loadu_si512(by_2048);
        __m512i b = move_vector(to == NULL ? NULL : to + at, from + at);
        __m512i c = move_vector(to == NULL ? NULL : to + at + VECTOR, from + at + VECTOR);
        __m512i d = move_vector(to == NULL ? NULL : to + at + 2 * VECTOR, from + at + 2 * VECTOR);
        for (at = VECTORS * VECTOR; at + VECTORS * VECTOR <= end; at += VECTORS * VECTOR) {
            folded = fold(folded, far, move_vector(to == NULL ? NULL : to + at, from + at));
            b = fold(b, far, move_vector(to == NULL ? NULL : to + at + VECTOR, from + at + VECTOR));
            c = fold(c, far, move_vector(to == NULL ? NULL : to + at + 2 * VECTOR, from + at + 2 * VECTOR));
            d = fold(d, far, move_vector(to == NULL ? NULL : to + at + 3 * VECTOR, from + at + 3 * VECTOR));
        }
        folded = fold(fold(fold(folded, next, b), next, c), next, d);
    }
    for (; at < end; at += VECTOR) {
        folded = fold(folded, next, move_vector(to == NULL ? NULL : to + at, from + at));
    }
    __m512i lanes = fold(folded, _mm512_loadu_si512(to_last), _mm512_setzero_si512());
    __m256i halves = _mm256_xor_si256(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
    __m128i lane = _mm_xor_si128(_mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)),
                                 _mm512_extracti32x4_epi32(folded, 3));
    return crc_word(crc_word(0, (uint64_t)_mm_cvtsi128_si64(lane)), (uint64_t)_mm_extract_epi64(lane, 1));
}
#else
enum { VECTOR = 1 << 30 };

static void prepare_folding(void) {
}

static inline uint64_t crc_vectors(uint64_t crc, char *to, const char *from, size_t vectors) {
    (void)to, (void)from, (void)vectors;
    return crc;
}
#endif

/* Continues a checksum, and copies the bytes if "to" is not NULL. A checksum starts with ~0, and the caller inverts the result. */
static inline __attribute__((always_inline)) uint64_t crc_copied(uint64_t crc, char *to, const char *from, size_t bytes) {
    size_t at = 0;
    if (bytes >= VECTOR) {
        crc = crc_vectors(crc, to, from, bytes / VECTOR);
        at = bytes / VECTOR * VECTOR;
    }
    size_t left = (bytes - at) / 8;
    while (left >= 3 * SMALLEST_STREAM_WORDS) {
        size_t words = left / 3 < STREAM_WORDS ? left / 3 : STREAM_WORDS;
        size_t stream = 8 * words;
        uint64_t a = crc, b = 0, c = 0;
        for (size_t end = at + stream; at < end; at += 8) {
            a = crc_word(a, move(to == NULL ? NULL : to + at, from + at));
            b = crc_word(b, move(to == NULL ? NULL : to + at + stream, from + at + stream));
            c = crc_word(c, move(to == NULL ? NULL : to + at + 2 * stream, from + at + 2 * stream));
        }
        crc = shifted(a, 2 * words) ^ shifted(b, words) ^ c;
        at += 2 * stream;
        left -= 3 * words;
    }
    for (; left > 0; left--, at += 8) {
        crc = crc_word(crc, move(to == NULL ? NULL : to + at, from + at));
    }
    return crc;
}

static inline uint64_t crc_of(uint64_t crc, const char *from, size_t bytes) {
    return crc_copied(crc, NULL, from, bytes);
}

/* Computes the checksum bit by bit, directly from the polynomial. */
static uint32_t slow_crc32c(const unsigned char *from, size_t bytes) {
    uint32_t crc = ~0U;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= from[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78U : 0);
        }
    }
    return ~crc;
}

/*
 * Must be called first. Checks the fast checksum against values of RFC 3720 and against the slow one. Checks the slow one against a value
 * of RFC 3720 and against the known CRC-32C of "123456789".
 */
static void prepare_crc32c(void) {
    enum { BYTES = 4096 };
    static unsigned char data[BYTES];
    static char copy[BYTES];
    prepare_folding();
    uint64_t shift = 1;
    for (size_t words = 1; words <= 2 * STREAM_WORDS; words++) {
        shifts[words] = (uint32_t)shift;
        shift = crc_word(shift, 0);
    }
    if ((uint32_t)~crc_of(~0U, (char *)data, 32) != 0x8A9136AAU || slow_crc32c(data, 32) != 0x8A9136AAU) {
        die("wrong CRC-32C", "of 32 zeros");
    }
    for (int i = 0; i < BYTES; i++) {
        data[i] = (unsigned char)i;
    }
    if ((uint32_t)~crc_of(~0U, (char *)data, 32) != 0x46DD794EU || slow_crc32c((unsigned char *)"123456789", 9) != 0xE3069283U) {
        die("wrong CRC-32C", "of known data");
    }
    for (int i = 0; i < BYTES; i++) {
        data[i] = (unsigned char)(i * 31 ^ i >> 5);
    }
    for (size_t bytes = 0; bytes <= BYTES; bytes += 8) {
        if ((uint32_t)~crc_copied(~0U, copy, (char *)data, bytes) != slow_crc32c(data, bytes) || memcmp(copy, data, bytes) != 0) {
            die("wrong CRC-32C", "of several streams");
        }
    }
}

#endif
