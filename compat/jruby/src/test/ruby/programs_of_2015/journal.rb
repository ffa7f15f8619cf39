# encoding: utf-8

# Writes lines into pages, and prints the metadata after each step.
require "jruby-mmap-queues"

page_handler = Mmap::PageCache.new("journal.dat", {:page_size => 64, :cache_size => 2})
queue = Mmap::PagedQueue.new(page_handler)

show = lambda do |what, result|
  meta = page_handler.meta
  puts "#{what} #{result.inspect}: head #{meta.head_page_index}/#{meta.head_page_offset}, " \
       "tail #{meta.tail_page_index}/#{meta.tail_page_offset}, #{meta.size} of #{queue.size}, #{Dir["journal.dat.*"].sort.join(" ")}"
end

lines = ["hello", "", "caf\u00e9", nil, "a line that does not fit into what is left of the page", "z"]
bytes = lines.inject(0) { |sum, line| sum + queue.push(line).tap { |result| show.call("push", result) } }
puts "#{bytes} bytes in #{queue.count} lines, the longest with #{queue.map { |line| line.bytesize }.max}"
show.call("pop", queue.pop)
show.call("skip", queue.skip)
begin
  queue << "x" * (page_handler.page_usable_size + 1)
rescue Mmap::PageHandlerError
  puts "too large"
end
queue.close

options = {:page_size => 64}
page_handler = Mmap::PageCache.new("journal.dat", options)
queue = Mmap::PagedQueue.new(page_handler)
while line = queue.shift
  show.call("shift", line.size)
end
show.call("skip", queue.skip)
queue.push("again")
queue.clear
show.call("clear", queue.pop)
queue.close
queue.purge
puts Dir["journal*"].size

__END__
push 5: head 0/9, tail 0/0, 1 of 1, journal.dat.0
push 0: head 0/9, tail 0/0, 1 of 1, journal.dat.0
push 5: head 0/18, tail 0/0, 2 of 2, journal.dat.0
push 0: head 0/18, tail 0/0, 2 of 2, journal.dat.0
push 54: head 1/58, tail 0/0, 3 of 3, journal.dat.0 journal.dat.1
push 1: head 2/5, tail 0/0, 4 of 4, journal.dat.0 journal.dat.1 journal.dat.2
65 bytes in 4 lines, the longest with 54
pop "hello": head 2/5, tail 0/9, 3 of 3, journal.dat.0 journal.dat.1 journal.dat.2
skip 5: head 2/5, tail 0/18, 2 of 2, journal.dat.0 journal.dat.1 journal.dat.2
too large
shift 54: head 2/5, tail 1/58, 1 of 1, journal.dat.1 journal.dat.2
shift 1: head 2/5, tail 2/5, 0 of 0, journal.dat.2
skip 0: head 2/5, tail 2/5, 0 of 0, journal.dat.2
clear nil: head 0/0, tail 0/0, 0 of 0, journal.dat.2
0
