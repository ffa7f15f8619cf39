/*
 * The calls of suite "calls" in C.
 *
 * usage: calls noop|out|struct|errno ROUNDS MILLISECONDS
 * Prints the nanoseconds per call: the median of ROUNDS rounds of MILLISECONDS each, after one warm-up round.
 *
 * The function pointers are volatile, so that the compiler can neither inline the functions nor drop the calls.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "bench.h"

static long (*volatile call_noop)(long) = labs;
static double (*volatile call_out)(double, int *) = frexp;
static ldiv_t (*volatile call_struct)(long, long) = ldiv;
static int (*volatile call_errno)(sigset_t *, int) = sigaddset;

static volatile long number = 1000003;
static volatile double sink;

static double noop(long n) {
    long sum = 0;
    while (n-- > 0) {
        sum += call_noop(number);
    }
    return sum;
}

static double out(long n) {
    double sum = 0;
    while (n-- > 0) {
        int exponent;
        sum += call_out((double)number, &exponent) + exponent;
    }
    return sum;
}

static double by_value(long n) {
    long sum = 0;
    while (n-- > 0) {
        ldiv_t result = call_struct(number, 10);
        sum += result.quot + result.rem;
    }
    return sum;
}

static double with_errno(long n) {
    long sum = 0;
    sigset_t signals;
    sigemptyset(&signals);
    while (n-- > 0) {
        sum += call_errno(&signals, 0) + errno;
    }
    return sum;
}

static double round_ns(double (*loop)(long), double ns) {
    const long batch = 10000;
    double start = now_ns(), end;
    long calls = 0;
    do {
        sink = loop(batch);
        calls += batch;
        end = now_ns();
    } while (end - start < ns);
    return (end - start) / calls;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        double (*loop)(long);
    } cases[] = {{"noop", noop}, {"out", out}, {"struct", by_value}, {"errno", with_errno}};

    if (argc != 4) {
        die("usage", "calls noop|out|struct|errno ROUNDS MILLISECONDS");
    }
    int rounds = rounds_from(argv[2]);
    double ns = atof(argv[3]) * 1e6, results[MAX_ROUNDS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            round_ns(cases[i].loop, ns);
            for (int r = 0; r < rounds; r++) {
                results[r] = round_ns(cases[i].loop, ns);
            }
            print_figure("time", median(results, rounds));
            return 0;
        }
    }
    die("no such case", argv[1]);
}
