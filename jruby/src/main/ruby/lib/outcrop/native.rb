# frozen_string_literal: true

# Loads the classes that are written in Java. While they are being developed, they stand on the JVM's own class path, and there are no jars here.
Dir[File.join(__dir__, "jars", "*.jar")].sort.each { |jar| require jar }
JRuby::Util.load_ext("dev.outcrop.jruby.OutcropLibrary")
