# frozen_string_literal: true

require_relative "test_helper"

class VersionTest < OutcropTest
  def test_has_a_version
    assert_match(/\A\d+\.\d+\.\d+\z/, Outcrop::VERSION)
  end
end
