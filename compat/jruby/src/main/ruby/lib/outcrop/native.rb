# frozen_string_literal: true

# Loads the classes that are written in Java. While they are being developed, they stand on the JVM's own class path, and there are no jars
# here.
jars = File.join(__dir__, "jars")
# Not a pattern with the directory in it, which may have brackets.
Dir.glob("*.jar", base: jars).sort.each { |jar| require File.join(jars, jar) }
JRuby::Util.load_ext("dev.outcrop.jruby.OutcropLibrary")
