# frozen_string_literal: true

require "json"

module Outcrop
  # Serializers turn items into strings and back. They respond to serialize(item) and deserialize(string). MessagePack is written in Java.
  module Serializers
    # For any object that Ruby can dump.
    module Marshal
      def self.serialize(item)
        ::Marshal.dump(item)
      end

      def self.deserialize(string)
        ::Marshal.load(string)
      end
    end

    # Text for other programs. Symbols come back as strings.
    module JSON
      CLASSES = [String, Symbol, Integer, Float, TrueClass, FalseClass, NilClass].freeze
      private_constant :CLASSES

      def self.serialize(item)
        check(item, 0)
        ::JSON.generate(item)
      rescue ::JSON::GeneratorError, ::EncodingError => e
        raise TypeError, "JSON has no form for this: #{e.message}"
      end

      def self.deserialize(string)
        ::JSON.parse(string)
      end

      # Without this check, the library would silently write any other object as the string that its to_s returns.
      def self.check(item, depth)
        case item
        when *CLASSES then return
        when Hash, Array
          raise ArgumentError, "Arrays and hashes are nested more than 100 deep, or contain themselves" if depth == 100
        else refuse(item)
        end
        return item.each { |element| check(element, depth + 1) } if item.is_a?(Array)

        item.each do |key, value|
          refuse(key, "as a key ") unless key.is_a?(String) || key.is_a?(Symbol)
          check(value, depth + 1)
        end
      end
      private_class_method :check

      def self.refuse(item, where = "")
        raise TypeError, "JSON has no form #{where}for objects of class #{item.class}; " \
                         "make hashes, arrays, strings and numbers of them, or open the queue with serializer: :marshal"
      end
      private_class_method :refuse
    end

    # Returns the serializer for a name, or the given object itself; nil if the items are strings already.
    def self.find(name)
      case name
      when nil, :string, :identity then nil
      when :marshal then Marshal
      when :json then JSON
      when :msgpack then MessagePack
      else
        unless name.respond_to?(:serialize) && name.respond_to?(:deserialize)
          raise ArgumentError, "serializer: must be :string, :marshal, :json or :msgpack, " \
                               "or an object that answers serialize and deserialize, not #{name.inspect}"
        end
        name
      end
    end
  end
end
