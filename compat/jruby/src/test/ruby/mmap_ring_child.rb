# frozen_string_literal: true

# Writes a page over and over again, and pops now and then, until its input is closed. It says nothing, so that it is
# always in the midst of a push or a pop when it is stopped. Arguments: the path of the queue, and how large the page is.
require "outcrop"

path, page_size = ARGV
queue = Mmap::PagedQueue.new(Mmap::SinglePage.new(path, page_size: Integer(page_size), overwrite: true))
Thread.new do
  $stdin.read
  exit!
end
puts "ready"
$stdout.flush
begin
  (0..).each do |index|
    queue.push("#{index} " + index.to_s * (1 + index * 7919 % 20))
    queue.pop if index % 5 == 0
  end
rescue StandardError => e
  # Without waiting for the thread.
  $stderr.syswrite(e.full_message)
  exit!(1)
end
