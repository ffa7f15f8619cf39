# encoding: utf-8

# Passes orders from one thread to another, and continues with the remaining orders when it starts again.
require "json"
require "jruby-mmap-queues"

class JsonSerializer
  def serialize(data)
    data.to_json
  end

  def deserialize(data)
    JSON.parse(data)
  end
end

OPTIONS = {:path => "orders.dat", :serializer => JsonSerializer.new, :debug => false}

queue = Mmap::SizedQueue.new(20, OPTIONS)
puts "#{queue.size} orders were left"
producer = Thread.new { 50.times { |i| queue << {"id" => i, "name" => "\u00e9" * i} } }
orders = 45.times.map { queue.pop }
producer.join
puts "#{orders.first["id"]} to #{orders.last["id"]}, of which the last has #{orders.last["name"].bytesize} bytes"
queue.push({"id" => 50}, false)
puts "#{queue.size} are left, the last of them in memory only"
queue.close

queue = Mmap::SizedQueue.new(20, OPTIONS)
puts "#{queue.size} orders were left"
puts queue.pop["id"] until queue.empty?
begin
  queue.pop(true)
rescue ThreadError => e
  puts e.message
end
queue.purge

queue = Mmap::Queue.new({:path => "orders.dat", :serializer => JsonSerializer.new})
consumer = Thread.new { 3.times.map { queue.shift } }
queue.push([1]).push([2]) << [3]
puts consumer.value.inspect
queue.close
queue.purge
puts Dir["orders*"].size

__END__
0 orders were left
0 to 44, of which the last has 88 bytes
6 are left, the last of them in memory only
5 orders were left
45
46
47
48
49
queue empty
[[1], [2], [3]]
0
