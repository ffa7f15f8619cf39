# frozen_string_literal: true

# Pushes to several queues and pops from them until it is killed, and prints each step. Each argument describes one queue, as words: its
# path, which ends with its name; its type; its page handler; the page size; the most repetitions of the number in an item; and "overwrite"
# if unread records are to be overwritten. With "overwrite", the consumer is slow.
require "outcrop"

Thread.abort_on_exception = true
lock = Mutex.new
use = lambda do |path, type, handler, page_size, repeats, overwrite = nil|
  say = ->(line) { lock.synchronize { $stdout.syswrite("#{File.basename(path)} #{line}\n") } }
  pages = Mmap.const_get(handler).new(path, page_size: Integer(page_size), overwrite: overwrite == "overwrite")
  queue = type == "SizedQueue" ? Mmap::SizedQueue.new(20, page_handler: pages) : Mmap::Queue.new(page_handler: pages)
  say.call("ready")
  Thread.new do
    previous = -1
    loop do
      number = queue.pop.to_i
      say.call("popped #{number}")
      next unless overwrite

      sleep(0.0005)
      # A Queue has lost items. A SizedQueue has more objects than its page has records; the 1 allows for a push in progress.
      say.call("behind") if number > previous + 1 || queue.size > pages.meta.size + 1
      previous = number
    end
  end
  (0..).each do |index|
    queue.push("#{index} " + index.to_s * (1 + index * 7919 % Integer(repeats)))
    say.call("pushed #{index}")
    # Lets other threads run. The producer is ahead of the consumer, so that the queue has items at the kill.
    Thread.pass
  end
end
ARGV.map { |queue| Thread.new { use.call(*queue.split) } }.each(&:join)
