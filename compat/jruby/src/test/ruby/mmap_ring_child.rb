# frozen_string_literal: true

# Overwrites a page repeatedly, and pops now and then, until its input is closed. It prints nothing after "ready", so that a stop always
# interrupts a push or a pop. Arguments: the path of the queue, and the page size.
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
  # exit! does not wait for the thread that reads the input.
  $stderr.syswrite(e.full_message)
  exit!(1)
end
