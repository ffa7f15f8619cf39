package dev.outcrop.jruby;

/**
 * Stack for what must not end half-way. A queue's methods call {@link #require()} before they change anything; if there is too little stack for
 * all that they are going to call, that throws StackOverflowError, which is Ruby's SystemStackError, and nothing has happened.
 */
final class Headroom {
    /** With frames as large as compiled code makes them here, 2 KiB, 16 KiB: several times what a push or a pop uses. */
    private static final int FRAMES = 8;

    private Headroom() {
    }

    /** Throws StackOverflowError if the stack is almost used up. */
    static void require() {
        int _ = descend(FRAMES);
    }

    /** With so much code, of constants that take three bytes each, that the compiler calls it: in its callers, it would cost them other inlining. */
    private static int descend(int frames) {
        return frames == 0
                ? widen(
                        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
                        2, 2)
                : descend(frames - 1) + 1;
    }

    /** A frame of whoever calls this has room for its arguments, whether or not it does call; so few calls, which take time, use much stack. */
    private static int widen(
            long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long b0, long b1,
            long b2, long b3, long b4, long b5, long b6, long b7, long b8, long c0, long c1, long c2, long c3,
            long c4, long c5, long c6, long c7, long c8, long d0, long d1, long d2, long d3, long d4, long d5,
            long d6, long d7, long d8, long e0, long e1, long e2, long e3, long e4, long e5, long e6, long e7,
            long e8, long f0, long f1, long f2, long f3, long f4, long f5, long f6, long f7, long f8, long g0,
            long g1, long g2, long g3, long g4, long g5, long g6, long g7, long g8, long h0, long h1, long h2,
            long h3, long h4, long h5, long h6, long h7, long h8, long i0, long i1, long i2, long i3, long i4,
            long i5, long i6, long i7, long i8, long j0, long j1, long j2, long j3, long j4, long j5, long j6,
            long j7, long j8, long k0, long k1, long k2, long k3, long k4, long k5, long k6, long k7, long k8,
            long l0, long l1, long l2, long l3, long l4, long l5, long l6, long l7, long l8, long m0, long m1,
            long m2, long m3, long m4, long m5, long m6, long m7, long m8, long n0, long n1, long n2, long n3,
            long n4, long n5, long n6, long n7, long n8) {
        if (a0 == 2) {
            return 0;
        }
        // Never; but as long as this, so that the compiler does not put it into its caller, which then had no arguments to pass.
        return (int) (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + c0 + c1
                + c2 + c3 + c4 + c5 + c6 + c7 + c8 + d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 + e0 + e1 + e2 + e3
                + e4 + e5 + e6 + e7 + e8 + f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + g0 + g1 + g2 + g3 + g4 + g5
                + g6 + g7 + g8 + h0 + h1 + h2 + h3 + h4 + h5 + h6 + h7 + h8 + i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7
                + i8 + j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7 + j8 + k0 + k1 + k2 + k3 + k4 + k5 + k6 + k7 + k8 + l0
                + l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 + m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8 + n0 + n1 + n2
                + n3 + n4 + n5 + n6 + n7 + n8);
    }
}
