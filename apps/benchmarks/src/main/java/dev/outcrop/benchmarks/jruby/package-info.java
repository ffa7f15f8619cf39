/**
 * Suite {@code jruby}: the gem's mapped files and queues, called from Ruby, against what Ruby has itself and against what a talk at
 * JRubyConf 2015 had measured.
 *
 * <p>Every side is a child process with JRuby and a program in Ruby, one of those in {@code src/main/ruby}, which warms up for seconds and
 * then prints its figures. Figures of one process take turns in it, and the processes take turns too.
 *
 * <p><b>Files.</b> A string is written from the start of a file to its end, over and over. The file is written before, so that its pages
 * are in memory; nothing is forced. The strategies of the talk are built again as it describes them, on {@code MappedByteBuffer}. The limit
 * is a loop in Java that does nothing but {@code MemorySegment.copy}, see {@link dev.outcrop.benchmarks.jruby.CopyLimit}. It takes turns
 * with {@code put_bytes} in one process and writes the same file: otherwise the memory that a process happens to get, and what other
 * processes do with theirs, would decide.
 *
 * <p><b>Queues.</b> All sides push the same string; the clock runs from before the threads start until the last of them has ended. Queues
 * are used again in each iteration, so their pages are warm, as they are in a pipeline that has run for a while.
 *
 * <p><b>Questions.</b> What the talk left open: page and cache size, head and tail against LRU, slow disks, where to force and in which
 * order, serializers, two queues or one, many consumers. A slow disk is simulated by a library that is loaded before all others, {@code
 * seek.c}; a power cut by putting together the files that it may leave, {@code power_cut.rb}.
 */
@NullMarked
package dev.outcrop.benchmarks.jruby;

import org.jspecify.annotations.NullMarked;
