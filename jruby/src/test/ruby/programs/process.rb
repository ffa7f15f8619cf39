# frozen_string_literal: true

# Processes items, says at which it is, and never gets done with the one called "stop": DIRECTORY
require "outcrop"

$stdout.sync = true
Outcrop::Queue.new(ARGV[0]).process do |item|
  $stdout.write("#{item}\n")
  sleep if item == "stop"
end
