# frozen_string_literal: true

module Outcrop
end
