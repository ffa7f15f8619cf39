# frozen_string_literal: true

require_relative "test_helper"

# Runs the README's examples about queues, and checks the results that they give after "# =>".
class ReadmeQueuesTest < OutcropTest
  README = File.expand_path("../../main/ruby/README.md", __dir__)
  EXAMPLES = File.read(README)[/^## Queues: .*?(?=^## |\z)/m].scan(/^```ruby\n(.*?)^```/m).flatten

  def test_there_are_examples
    assert_operator EXAMPLES.size, :>=, 5
  end

  EXAMPLES.each_with_index do |example, i|
    define_method("test_example_#{i + 1}") do
      checked = example.gsub(/^( *)(\S.*?) +# => (.*)$/) { "#{$1}assert_equal((#{$3}), (#{$2}))" }
      refute_equal example, checked
      # Uses the directory of the test.
      inside = checked.gsub(/(path: |\.open\()"(\w+)"/) { "#{$1}path(\"#{$2}\")" }
      refute_equal checked, inside
      instance_eval(inside, README)
    end
  end
end
