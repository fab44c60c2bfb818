/// `--name` or `-n`: given or not given.
package struct Flag: Declaration {
    package let parameter: Parameter

    /// Declares a flag.
    package init(_ name: String, letter: Character? = nil, help: String) {
        parameter = Parameter(
            kind: .flag, name: name, letter: letter, placeholder: "", help: help, isRequired: false, isRepeated: false,
            problem: { _ in nil })
    }
}
