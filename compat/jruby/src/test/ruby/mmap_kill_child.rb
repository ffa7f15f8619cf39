# frozen_string_literal: true

# Pushes and pops until it is killed, with several queues at once, and says what it has done. Each argument is a queue, as words: its path,
# which ends with its name, its type, its page handler; how large a page is, and how often an item repeats its number at most; "overwrite"
# if the page is to be written over, so that the consumer has to be slow.
require "outcrop"

Thread.abort_on_exception = true
lock = Mutex.new
use = lambda do |path, type, handler, page_size, repeats, overwrite = nil|
  say = ->(line) { lock.synchronize { $stdout.syswrite("#{File.basename(path)} #{line}\n") } }
  pages = Mmap.const_get(handler).new(path, page_size: Integer(page_size), overwrite: overwrite == "overwrite")
  queue = type == "SizedQueue" ? Mmap::SizedQueue.new(20, page_handler: pages) : Mmap::Queue.new(page_handler: pages)
  say.call("ready")
  Thread.new do
    loop do
      item = queue.pop
      say.call("popped #{item[/\A\d+/]}")
      next unless overwrite

      sleep(0.0005)
      # Of a SizedQueue, which has more objects then than its page has records. One push may be going on.
      say.call("behind") if queue.size > pages.meta.size + 1
    end
  end
  (0..).each do |index|
    queue.push("#{index} " + index.to_s * (1 + index * 7919 % Integer(repeats)))
    say.call("pushed #{index}")
    # The producer is ahead, so that there is something in the queue when it is killed.
    Thread.pass
  end
end
ARGV.map { |queue| Thread.new { use.call(*queue.split) } }.each(&:join)
