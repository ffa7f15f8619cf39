package dev.outcrop.memory;

/**
 * Checks that enough of the stack is left for work that must not end half-way. Some code claims memory, takes a lock or enters native code
 * that calls back. Such code calls {@link #require(int)} before it changes anything. If too little stack is left, that call throws
 * {@link StackOverflowError}, and nothing has happened.
 *
 * <p>All methods are thread-safe, for platform and virtual threads.
 */
/*
 * Java does not tell how much stack is left; only a call that does not fit finds out. So this class calls itself, in frames of 2 KiB. In
 * the interpreter, a frame is as large as its local variables. In compiled code, a frame is as large as the longest list of arguments that
 * it passes on the stack. The compiler leaves out calls that it has never seen, and the room for them. So this class makes the call with
 * all arguments now and then in the beginning. Making it each time would take longer than all the rest.
 */
public final class StackCheck {
    /** The stack that releasing scratch memory, a lease or a lock takes, in KiB. */
    public static final int RELEASE = 2;

    /** The stack that freeing a native object takes, in KiB; enough for a database that still has something to write. */
    public static final int FREEING = 64;

    private static final int FRAME_KIB = 2;
    /** More calls than the compiler counts before it compiles a method. */
    private static final int FIRST_CALLS = 100_000;

    /** Not exact. Written only in the beginning: later writes would move its cache line from processor to processor. */
    private static int calls;

    private StackCheck() {
    }

    /**
     * Checks that enough of the stack is left.
     *
     * @param kibibytes how much stack must be left, in KiB; each 2 KiB take some 1.5 ns
     * @throws StackOverflowError if there is less
     */
    public static void require(int kibibytes) {
        boolean isWidened = false;
        if (calls < FIRST_CALLS) {
            calls++;
            isWidened = (calls & 1) == 0;
        }
        int _ = descend(kibibytes / FRAME_KIB, isWidened, calls);
    }

    /**
     * Returns whether enough of the stack is left.
     *
     * @param kibibytes how much stack must be left, in KiB
     * @return whether {@link #require(int)} would return normally
     */
    public static boolean hasRoom(int kibibytes) {
        try {
            require(kibibytes);
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    /** Has so much code that the compiler does not inline it: callers would lose other inlining, and this method would lose its frame. */
    private static int descend(int frames, boolean isWidened, int seed) {
        if (frames > 1) {
            return descend(frames - 1, isWidened, seed) + 1;
        }
        if (isWidened) {
            int //
            a0 = seed, a1 = seed, a2 = seed, a3 = seed, a4 = seed, a5 = seed, a6 = seed, a7 = seed, a8 = seed,
                    a9 = seed, b0 = seed, b1 = seed, b2 = seed, b3 = seed, b4 = seed, b5 = seed, b6 = seed, b7 = seed,
                    b8 = seed, b9 = seed, c0 = seed, c1 = seed, c2 = seed, c3 = seed, c4 = seed, c5 = seed, c6 = seed,
                    c7 = seed, c8 = seed, c9 = seed, d0 = seed, d1 = seed, d2 = seed, d3 = seed, d4 = seed, d5 = seed,
                    d6 = seed, d7 = seed, d8 = seed, d9 = seed, e0 = seed, e1 = seed, e2 = seed, e3 = seed, e4 = seed,
                    e5 = seed, e6 = seed, e7 = seed, e8 = seed, e9 = seed, f0 = seed, f1 = seed, f2 = seed, f3 = seed,
                    f4 = seed, f5 = seed, f6 = seed, f7 = seed, f8 = seed, f9 = seed, g0 = seed, g1 = seed, g2 = seed,
                    g3 = seed, g4 = seed, g5 = seed, g6 = seed, g7 = seed, g8 = seed, g9 = seed, h0 = seed, h1 = seed,
                    h2 = seed, h3 = seed, h4 = seed, h5 = seed, h6 = seed, h7 = seed, h8 = seed, h9 = seed, i0 = seed,
                    i1 = seed, i2 = seed, i3 = seed, i4 = seed, i5 = seed, i6 = seed, i7 = seed, i8 = seed, i9 = seed,
                    j0 = seed, j1 = seed, j2 = seed, j3 = seed, j4 = seed, j5 = seed, j6 = seed, j7 = seed, j8 = seed,
                    j9 = seed, k0 = seed, k1 = seed, k2 = seed, k3 = seed, k4 = seed, k5 = seed, k6 = seed, k7 = seed,
                    k8 = seed, k9 = seed, l0 = seed, l1 = seed, l2 = seed, l3 = seed, l4 = seed, l5 = seed, l6 = seed,
                    l7 = seed, l8 = seed, l9 = seed, m0 = seed, m1 = seed, m2 = seed, m3 = seed, m4 = seed, m5 = seed,
                    m6 = seed, m7 = seed, m8 = seed, m9 = seed, n0 = seed, n1 = seed, n2 = seed, n3 = seed, n4 = seed,
                    n5 = seed, n6 = seed, n7 = seed, n8 = seed, n9 = seed, o0 = seed, o1 = seed, o2 = seed, o3 = seed,
                    o4 = seed, o5 = seed, o6 = seed, o7 = seed, o8 = seed, o9 = seed, p0 = seed, p1 = seed, p2 = seed,
                    p3 = seed, p4 = seed, p5 = seed, p6 = seed, p7 = seed, p8 = seed, p9 = seed, q0 = seed, q1 = seed,
                    q2 = seed, q3 = seed, q4 = seed, q5 = seed, q6 = seed, q7 = seed, q8 = seed, q9 = seed, r0 = seed,
                    r1 = seed, r2 = seed, r3 = seed, r4 = seed, r5 = seed, r6 = seed, r7 = seed, r8 = seed, r9 = seed,
                    s0 = seed, s1 = seed, s2 = seed, s3 = seed, s4 = seed, s5 = seed, s6 = seed, s7 = seed, s8 = seed,
                    s9 = seed, t0 = seed, t1 = seed, t2 = seed, t3 = seed, t4 = seed, t5 = seed, t6 = seed, t7 = seed,
                    t8 = seed, t9 = seed, u0 = seed, u1 = seed, u2 = seed, u3 = seed, u4 = seed, u5 = seed, u6 = seed,
                    u7 = seed, u8 = seed, u9 = seed, v0 = seed, v1 = seed, v2 = seed, v3 = seed, v4 = seed, v5 = seed,
                    v6 = seed, v7 = seed, v8 = seed, v9 = seed, w0 = seed, w1 = seed, w2 = seed, w3 = seed, w4 = seed,
                    w5 = seed, w6 = seed, w7 = seed, w8 = seed, w9 = seed, x0 = seed, x1 = seed, x2 = seed, x3 = seed,
                    x4 = seed, x5 = seed, x6 = seed, x7 = seed, x8 = seed, x9 = seed, y0 = seed, y1 = seed, y2 = seed,
                    y3 = seed, y4 = seed, y5 = seed, y6 = seed, y7 = seed, y8 = seed, y9 = seed, z0 = seed, z1 = seed;
            return widen(
                    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3,
                    c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5, e6, e7,
                    e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, h0, h1,
                    h2, h3, h4, h5, h6, h7, h8, h9, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, j0, j1, j2, j3, j4, j5,
                    j6, j7, j8, j9, k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9,
                    m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, o0, o1, o2, o3,
                    o4, o5, o6, o7, o8, o9, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, q0, q1, q2, q3, q4, q5, q6, q7,
                    q8, q9, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, t0, t1,
                    t2, t3, t4, t5, t6, t7, t8, t9, u0, u1, u2, u3, u4, u5, u6, u7, u8, u9, v0, v1, v2, v3, v4, v5,
                    v6, v7, v8, v9, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9,
                    y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, z0, z1);
        }
        return 0;
    }

    /** A frame that may call this method has room for the arguments, even if it does not call. */
    private static int widen(
            int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int b0, int b1, int b2,
            int b3, int b4, int b5, int b6, int b7, int b8, int b9, int c0, int c1, int c2, int c3, int c4, int c5,
            int c6, int c7, int c8, int c9, int d0, int d1, int d2, int d3, int d4, int d5, int d6, int d7, int d8,
            int d9, int e0, int e1, int e2, int e3, int e4, int e5, int e6, int e7, int e8, int e9, int f0, int f1,
            int f2, int f3, int f4, int f5, int f6, int f7, int f8, int f9, int g0, int g1, int g2, int g3, int g4,
            int g5, int g6, int g7, int g8, int g9, int h0, int h1, int h2, int h3, int h4, int h5, int h6, int h7,
            int h8, int h9, int i0, int i1, int i2, int i3, int i4, int i5, int i6, int i7, int i8, int i9, int j0,
            int j1, int j2, int j3, int j4, int j5, int j6, int j7, int j8, int j9, int k0, int k1, int k2, int k3,
            int k4, int k5, int k6, int k7, int k8, int k9, int l0, int l1, int l2, int l3, int l4, int l5, int l6,
            int l7, int l8, int l9, int m0, int m1, int m2, int m3, int m4, int m5, int m6, int m7, int m8, int m9,
            int n0, int n1, int n2, int n3, int n4, int n5, int n6, int n7, int n8, int n9, int o0, int o1, int o2,
            int o3, int o4, int o5, int o6, int o7, int o8, int o9, int p0, int p1, int p2, int p3, int p4, int p5,
            int p6, int p7, int p8, int p9, int q0, int q1, int q2, int q3, int q4, int q5, int q6, int q7, int q8,
            int q9, int r0, int r1, int r2, int r3, int r4, int r5, int r6, int r7, int r8, int r9, int s0, int s1,
            int s2, int s3, int s4, int s5, int s6, int s7, int s8, int s9, int t0, int t1, int t2, int t3, int t4,
            int t5, int t6, int t7, int t8, int t9, int u0, int u1, int u2, int u3, int u4, int u5, int u6, int u7,
            int u8, int u9, int v0, int v1, int v2, int v3, int v4, int v5, int v6, int v7, int v8, int v9, int w0,
            int w1, int w2, int w3, int w4, int w5, int w6, int w7, int w8, int w9, int x0, int x1, int x2, int x3,
            int x4, int x5, int x6, int x7, int x8, int x9, int y0, int y1, int y2, int y3, int y4, int y5, int y6,
            int y7, int y8, int y9, int z0, int z1) {
        if (a0 >= 0) {
            return 0;
        }
        // Never happens. The code is so long that the compiler does not inline this method: after inlining, the caller would pass no
        // arguments.
        return a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + c0
                + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 + d9 + e0
                + e1 + e2 + e3 + e4 + e5 + e6 + e7 + e8 + e9 + f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + f9 + g0
                + g1 + g2 + g3 + g4 + g5 + g6 + g7 + g8 + g9 + h0 + h1 + h2 + h3 + h4 + h5 + h6 + h7 + h8 + h9 + i0
                + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 + j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7 + j8 + j9 + k0
                + k1 + k2 + k3 + k4 + k5 + k6 + k7 + k8 + k9 + l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 + l9 + m0
                + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8 + m9 + n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9 + o0
                + o1 + o2 + o3 + o4 + o5 + o6 + o7 + o8 + o9 + p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + q0
                + q1 + q2 + q3 + q4 + q5 + q6 + q7 + q8 + q9 + r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9 + s0
                + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7 + t8 + t9 + u0
                + u1 + u2 + u3 + u4 + u5 + u6 + u7 + u8 + u9 + v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9 + w0
                + w1 + w2 + w3 + w4 + w5 + w6 + w7 + w8 + w9 + x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + y0
                + y1 + y2 + y3 + y4 + y5 + y6 + y7 + y8 + y9 + z0 + z1;
    }
}
