# frozen_string_literal: true

# Pushes items and takes them again, by two threads, and says what it has done, until it is killed: DIRECTORY CLASS HOW
require "outcrop"

directory, type, how = ARGV
queue = type == "SizedQueue" ? Outcrop::SizedQueue.new(100, directory) : Outcrop::Queue.new(directory, max_bytes: 10 << 20)
$stdout.sync = true
say = ->(line) { $stdout.write("#{line}\n") }
takes = {
  "pop" => -> { say.call("done #{queue.pop.to_i}") },
  "ack" => lambda do
    delivery = queue.poll
    say.call("taken #{delivery.item.to_i}")
    delivery.ack
    say.call("done #{delivery.item.to_i}")
  end
}
2.times { Thread.new { loop { takes.fetch(how).call } } }
(0..).each do |number|
  queue << "#{number}:#{(number % 256).chr * (number % 100_000)}"
  say.call("pushed #{number}")
end
