# frozen_string_literal: true

# What of module Mmap is written in Ruby.
module Mmap
end
