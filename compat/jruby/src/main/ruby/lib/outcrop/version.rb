# frozen_string_literal: true

module Outcrop
  VERSION = "0.1.0"
end
