# frozen_string_literal: true

# Does several works at once until it is killed, and prints each step. Each argument describes one work, as words: the directory of a queue,
# which ends with its name; the kind of work; and the details.
require "outcrop"

Thread.abort_on_exception = true
WORKS = {
  # Two threads push numbered items, and print each number after its push. Details: DURABILITY CLASS
  "push" => lambda do |say, directory, durability, type|
    options = { path: directory, durability: durability.to_sym }
    queue = type == "SizedQueue" ? Outcrop::SizedQueue.new(1 << 20, **options) : Outcrop::Queue.new(**options)
    threads = Array.new(2) do |thread|
      Thread.new do
        (0..).each do |i|
          number = 2 * i + thread
          queue << "#{number}:#{(number % 256).chr * (number % 3000)}"
          say.call(number)
        end
      end
    end
    threads.each(&:join)
  end,
  # One thread pushes items, and two threads take them. Details: CLASS HOW
  "take" => lambda do |say, directory, type, how|
    queue = type == "SizedQueue" ? Outcrop::SizedQueue.new(100, directory) : Outcrop::Queue.new(directory, max_bytes: 10 << 20)
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
  end,
  # Processes items, and never finishes the item "stop".
  "process" => lambda do |say, directory|
    Outcrop::Queue.new(directory).process do |item|
      say.call(item)
      sleep if item == "stop"
    end
  end
}.freeze

lock = Mutex.new
threads = ARGV.map do |work|
  directory, what, *how = work.split
  say = ->(line) { lock.synchronize { $stdout.syswrite("#{File.basename(directory)} #{line}\n") } }
  Thread.new { WORKS.fetch(what).call(say, directory, *how) }
end
threads.each(&:join)
