package dev.outcrop.jruby;

/**
 * Stack for what must not end half-way. A queue's methods call {@link #require()} before they change anything; if there is too little stack for
 * all that they are going to call, that throws StackOverflowError, which is Ruby's SystemStackError, and nothing has happened.
 */
final class Headroom {
    /** With frames as large as compiled code makes them here, 2 KiB, more than 16 KiB: several times what a push or a pop uses. */
    private static final int FRAMES = 12;

    private Headroom() {
    }

    /** Throws StackOverflowError if the stack is almost used up. */
    static void require() {
        int _ = descend(FRAMES);
    }

    private static int descend(int frames) {
        return frames == 0
                ? widen(
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0)
                : descend(frames - 1) + 1;
    }

    /** A frame of whoever calls this has room for its arguments, whether or not it does call; so few calls, which take time, use much stack. */
    private static int widen(
            long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long a10, long a11, long a12,
            long a13, long a14, long a15, long a16, long a17, long a18, long a19, long a20, long b0, long b1, long b2, long b3, long b4,
            long b5, long b6, long b7, long b8, long b9, long b10, long b11, long b12, long b13, long b14, long b15, long b16, long b17,
            long b18, long b19, long b20, long c0, long c1, long c2, long c3, long c4, long c5, long c6, long c7, long c8, long c9,
            long c10, long c11, long c12, long c13, long c14, long c15, long c16, long c17, long c18, long c19, long c20, long d0, long d1,
            long d2, long d3, long d4, long d5, long d6, long d7, long d8, long d9, long d10, long d11, long d12, long d13, long d14,
            long d15, long d16, long d17, long d18, long d19, long d20, long e0, long e1, long e2, long e3, long e4, long e5, long e6,
            long e7, long e8, long e9, long e10, long e11, long e12, long e13, long e14, long e15, long e16, long e17, long e18, long e19,
            long e20, long f0, long f1, long f2, long f3, long f4, long f5, long f6, long f7, long f8, long f9, long f10, long f11,
            long f12, long f13, long f14, long f15, long f16, long f17, long f18, long f19, long f20) {
        if (a0 == 0) {
            return 0;
        }
        // Never; but as long as this, so that the compiler does not put it into its caller, which then had no arguments to pass.
        return (int) (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 + a16 + a17 + a18 + a19 + a20 + b0 + b1
                + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + b10 + b11 + b12 + b13 + b14 + b15 + b16 + b17 + b18 + b19 + b20 + c0 + c1 + c2
                + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11 + c12 + c13 + c14 + c15 + c16 + c17 + c18 + c19 + c20 + d0 + d1 + d2 + d3
                + d4 + d5 + d6 + d7 + d8 + d9 + d10 + d11 + d12 + d13 + d14 + d15 + d16 + d17 + d18 + d19 + d20 + e0 + e1 + e2 + e3 + e4
                + e5 + e6 + e7 + e8 + e9 + e10 + e11 + e12 + e13 + e14 + e15 + e16 + e17 + e18 + e19 + e20 + f0 + f1 + f2 + f3 + f4 + f5
                + f6 + f7 + f8 + f9 + f10 + f11 + f12 + f13 + f14 + f15 + f16 + f17 + f18 + f19 + f20);
    }
}
