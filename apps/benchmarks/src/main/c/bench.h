/* Shared by the limit programs: a clock, the median of some rounds, the output line of a figure, and the exit after an error. */
#ifndef OUTCROP_BENCH_H
#define OUTCROP_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_ROUNDS = 100 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void die(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n) {
    qsort(values, n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static int rounds_from(const char *text) {
    int n = atoi(text);
    if (n < 1 || n > MAX_ROUNDS) {
        die("rounds must be between 1 and 100", text);
    }
    return n;
}

/* Prints a line that the harness reads, see ProcessOutput.java. The 0 is the garbage, which a C program does not have. */
static void print_figure(const char *name, double value) {
    printf("figure %.3f 0 %s\n", value, name);
}

#endif
