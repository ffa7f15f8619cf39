# frozen_string_literal: true

# For programs that were written for the gem of this name.
require "outcrop"
