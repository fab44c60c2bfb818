package import PavisePrimitives

/// What a command has to say, once for people and once for programs.
package struct Report: Sendable {
    /// A name and its value.
    package struct Fact: Sendable {
        /// The name in JSON, in camel case.
        package let name: String
        /// The name for people.
        package let title: String
        package let value: JSONValue
        /// What a person reads instead of the value; `nil` where the value says it.
        package let words: String?

        package init(_ name: String, _ title: String, _ value: JSONValue, words: String? = nil) {
            self.name = name
            self.title = title
            self.value = value
            self.words = words
        }

        package init(_ name: String, _ title: String, _ text: String) { self.init(name, title, .string(text)) }
    }

    /// A piece of the text.
    package enum Part: Sendable {
        case line(String)
        case heading(String)
        case success(String)
        case failure(String)
        case fact(Fact)
        /// Columns of equal width; the first row is the head.
        case table([[String]])
    }

    /// The whole as JSON.
    package let data: JSONValue
    private(set) var parts: [Part] = []

    package init(data: JSONValue) { self.data = data }

    /// Appends to the text.
    package mutating func add(_ part: Part) { parts.append(part) }

    /// The same with `part` appended.
    package func adding(_ part: Part) -> Report {
        var copy = self
        copy.add(part)
        return copy
    }
}
