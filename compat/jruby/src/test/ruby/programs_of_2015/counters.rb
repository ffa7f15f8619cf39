# encoding: utf-8

# Counts its own starts in a file.
require "jruby-mmap"

2.times do
  buffer = Mmap::ByteBuffer.new("counters", 64, {:debug => true})
  buffer.load
  buffer.put_int(buffer.get_int(0) + 1, 0)
  buffer.position = 4
  buffer.put_long(-2**63)
  buffer.put_bytes("na\u00efve")
  buffer.put_bytes_copy("counter", 1, 3)
  puts "#{buffer.position} of #{buffer.size}, limit #{buffer.limit}"
  buffer.position = 12
  puts buffer.get_bytes(9).force_encoding("UTF-8")
  begin
    buffer.put_int(2**31)
  rescue RangeError
    puts "start #{buffer.get_int(0)}, #{buffer.get_long(4)}"
  end
  buffer.close
end
puts File.size("counters")

__END__
21 of 64, limit 64
naïveoun
start 1, -9223372036854775808
21 of 64, limit 64
naïveoun
start 2, -9223372036854775808
64
