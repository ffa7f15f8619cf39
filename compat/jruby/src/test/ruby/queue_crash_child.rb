# frozen_string_literal: true

# Does several things at once until it is killed, and says what it has done. Each argument is one of them, as words: the directory of a
# queue, which ends with its name; what is done; and how.
require "outcrop"

Thread.abort_on_exception = true
WORKS = {
  # Two threads push numbered items, and say each number after it was pushed: DURABILITY CLASS
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
  # One thread pushes items, and two take them again: CLASS HOW
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
  # Processes items, and never gets done with the one called "stop".
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
