/**
 * Suite {@code jruby}: the gem's mapped files and queues, called from Ruby, against Ruby's own classes and against the strategies that a
 * talk at JRubyConf 2015 had measured.
 *
 * <p>Every side is a child process with JRuby and a Ruby program from {@code src/main/ruby}. The program warms up for some seconds and then
 * prints its figures. The figures of one process are measured in turn, and the processes take turns too.
 *
 * <p><b>Files.</b> A string is written from the start of a file to its end, over and over. The file was written once before, so that its
 * pages are in memory; nothing is forced. The strategies of the talk are implemented again as the talk describes them, on
 * {@code MappedByteBuffer}. The limit is a Java loop that only calls {@code MemorySegment.copy}, see
 * {@link dev.outcrop.benchmarks.jruby.CopyLimit}. It takes turns with {@code put_bytes} in one process and writes the same file. Otherwise
 * the result would depend on the memory that each process happens to get, and on the activity of other processes.
 *
 * <p><b>Queues.</b> All sides push the same string. The clock runs from before the threads start until the last thread has ended. Each
 * iteration uses the same queues again, so their pages are warm, as in a pipeline that has run for a while.
 *
 * <p><b>Questions.</b> The talk left these questions open: page size and cache size, head and tail against LRU, slow disks, what to force
 * and in which order, serializers, one queue or two, many consumers. A library that is loaded before all others, {@code seek.c}, simulates
 * a slow disk. {@code power_cut.rb} simulates a power cut: it makes the files that a power cut may leave.
 */
@NullMarked
package dev.outcrop.benchmarks.jruby;

import org.jspecify.annotations.NullMarked;
