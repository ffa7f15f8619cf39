package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class ErrnoTest {
    /** glibc 2.32 and newer know the names themselves. */
    @Test
    void namesAreThoseOfTheCLibrary() throws Throwable {
        MethodHandle strerrorname;
        try {
            strerrorname = NativeCalls.linkLibc("strerrorname_np", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        } catch (UnsatisfiedLinkError e) {
            abort("this C library has no strerrorname_np");
            return;
        }
        for (int errno = 1; errno < 200; errno++) {
            MemorySegment name = (MemorySegment) strerrorname.invokeExact(errno);
            String expected = name.address() == 0
                    ? "errno " + errno
                    : NativeCalls.view(name.address(), 100).getString(0);
            // The manual pages of files say EOPNOTSUPP for what is the same number on Linux.
            assertThat(Errno.name(errno)).isEqualTo(expected.equals("ENOTSUP") ? "EOPNOTSUPP" : expected);
        }
    }

    @Test
    void darwinsNumbersAreItsOwn() {
        assertThat(Errno.nameOnMacos(28)).isEqualTo("ENOSPC");
        assertThat(Errno.nameOnMacos(35)).isEqualTo("EAGAIN");
        assertThat(Errno.nameOnMacos(45)).isEqualTo("ENOTSUP");
        assertThat(Errno.nameOnMacos(69)).isEqualTo("EDQUOT");
        assertThat(Errno.nameOnMacos(78)).isEqualTo("ENOSYS");
        assertThat(Errno.nameOnMacos(102)).isEqualTo("EOPNOTSUPP");
        assertThat(Errno.nameOnMacos(106)).isEqualTo("EQFULL");
        assertThat(Errno.nameOnMacos(107)).isEqualTo("errno 107");
    }

    @Test
    void numbersWithoutNameAreShownAsNumbers() {
        assertThat(Errno.name(4711)).isEqualTo("errno 4711");
        assertThat(Errno.name(0)).isEqualTo("errno 0");
        assertThat(Errno.name(-1)).isEqualTo("errno -1");
    }
}
