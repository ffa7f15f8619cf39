# frozen_string_literal: true

# Loads the whole library: the classes of jruby-mmap and jruby-mmap-queues in module Mmap, and the queues of module Outcrop.

require "jruby"

require_relative "outcrop/version"
require_relative "outcrop/native"
require_relative "outcrop/mmap"
require_relative "outcrop/queue"
