# frozen_string_literal: true

# Pushes and pops until it is killed, and says what it has done. Arguments: the path of the queue, its type, its page handler.
require "outcrop"

path, type, handler = ARGV
pages = Mmap.const_get(handler).new(path, page_size: 5000)
queue = type == "SizedQueue" ? Mmap::SizedQueue.new(20, page_handler: pages) : Mmap::Queue.new(page_handler: pages)
lock = Mutex.new
say = ->(line) { lock.synchronize { $stdout.syswrite("#{line}\n") } }
say.call("ready")
Thread.new do
  loop do
    item = queue.pop
    say.call("popped #{item[/\A\d+/]}")
  end
end
(0..).each do |index|
  queue.push("#{index} " + index.to_s * (1 + index % 90))
  say.call("pushed #{index}")
  # The producer is ahead, so that there is something in the queue when it is killed.
  Thread.pass
end
