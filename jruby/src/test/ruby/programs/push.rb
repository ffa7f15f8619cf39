# frozen_string_literal: true

# Pushes numbered items by two threads and prints each number after it was pushed, until it is killed: DIRECTORY DURABILITY CLASS
require "outcrop"

directory, durability, type = ARGV
options = { path: directory, durability: durability.to_sym }
queue = type == "SizedQueue" ? Outcrop::SizedQueue.new(1 << 20, **options) : Outcrop::Queue.new(**options)
$stdout.sync = true
threads = Array.new(2) do |thread|
  Thread.new do
    (0..).each do |i|
      number = 2 * i + thread
      queue << "#{number}:#{(number % 256).chr * (number % 3000)}"
      $stdout.write("#{number}\n")
    end
  end
end
threads.each(&:join)
