# encoding: utf-8

# Keeps the last lines in one page, which is used as a ring.
require "jruby-mmap-queues"

def open_lines(options = {})
  page_handler = Mmap::SinglePage.new("lines.dat", {:page_size => 100, :cache_size => 2, :debug => true}.merge(options))
  return page_handler, Mmap::PagedQueue.new(page_handler)
end

page_handler, lines = open_lines(:overwrite => true)
40.times { |i| lines << "line %05d" % i }
meta = page_handler.meta
puts "lap #{meta.head_page_index}, #{meta.head_page_offset}; from lap #{meta.tail_page_index}, #{meta.tail_page_offset}; #{meta.size} lines"
lines.each { |line| puts line }
lines.close

_, lines = open_lines(:overwrite => false)
begin
  100.times { |i| lines << "more %05d" % i }
rescue Mmap::PageHandlerError
  puts "full with #{lines.size}: #{lines.first} to #{lines.to_a.last}"
end
puts lines.pop
lines.push("more")
puts lines.to_a.last
lines.purge

queue = Mmap::SizedQueue.new(100, :page_handler => open_lines(:overwrite => true).first)
30.times { |i| queue << i.to_s * 3 }
puts 30.times.map { queue.pop.size }.inject(:+)
queue.purge
puts Dir["lines*"].size

__END__
lap 6, 56; from lap 5, 70; 5 lines
line 00035
line 00036
line 00037
line 00038
line 00039
full with 5: line 00035 to line 00039
line 00035
more
150
0
