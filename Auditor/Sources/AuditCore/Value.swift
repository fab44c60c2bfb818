internal import SwiftSyntax

/// What is known about a value at one place of the forward pass.
struct Value {
    /// Marks that travel with a value, taint or not.
    struct Marks: OptionSet {
        let rawValue: UInt16
        static let ecb = Marks(rawValue: 1)
        static let oldTLS = Marks(rawValue: 2)
        static let externalEntities = Marks(rawValue: 4)
        static let regularExpression = Marks(rawValue: 8)
        static let lineAnchors = Marks(rawValue: 16)
        static let caseInsensitive = Marks(rawValue: 32)
        static let weakHash = Marks(rawValue: 64)
        static let fastHash = Marks(rawValue: 128)
        static let dotMatchesAll = Marks(rawValue: 256)
        /// A request or address of plain http.
        static let plainHTTP = Marks(rawValue: 512)
        /// One part of a path, such as its last, or a case of an enumeration: it leads to no other folder.
        static let component = Marks(rawValue: 1_024)
        /// Where a page itself wants to lead.
        static let navigation = Marks(rawValue: 2_048)

        /// Read from a place that nothing shows to be another's: it may be the app's own file.
        static let read = Marks(rawValue: 4_096)
        /// What a page sent to the app, which may be what it is handed back.
        static let message = Marks(rawValue: 8_192)

        /// What is true of a value only while all that came from outside has it.
        static let ofOrigin: Marks = [.component, .navigation, .read, .message]
    }
    var text: String?
    /// The numbers of a constant list of bytes.
    var bytes: [UInt8]?
    var isConstant = false
    /// A constant of the source whatever happens: what `let` names.
    var isFixed = false
    var number: Int?
    var sensitive: Sensitivity?
    var sensitiveName = ""
    /// How much speaks for `sensitive`.
    var certainty = Certainty.agreed
    /// The name alone says it, and the type is written in another file, if anywhere.
    var question: Question?
    var isOutside = false
    /// What a person typed: anything, but theirs.
    var isTyped = false
    var marks: Marks = []
    var type: String?
    /// In which unit a collection counts, or a number was counted: String, utf8, utf16, unicodeScalars, NSString.
    var unit: String?
    var steps: [Int] = []
    /// A logger's interpolation says that its value is public.
    var isPublic = false
    /// A number, or a text made of one: nothing that ends a quotation.
    var isNumeric = false
    /// The text was put together by the program.
    var isObfuscated = false
    /// Made of a device's or bundle's identifier.
    var isPredictable = false
    /// The literal text that the value begins with.
    var prefix: String?
    /// Keys of a dictionary literal and of later assignments, as written.
    var keys: Set<String> = []
    /// The parameters of the function that is asked about which the value comes from, a bit each.
    var parameters: UInt32 = 0
    /// Where other files' functions took the value from.
    var elsewhere: [Elsewhere] = []
    /// The call that made the object, for a rule that a later assignment completes.
    var origin: Syntax?

    /// Of what a property is whose type is written elsewhere: of an object, of a type.
    enum Question { case ofObject, ofType }

    static func constant(_ text: String?, number: Int? = nil) -> Value {
        var value = Value()
        value.text = text
        value.isConstant = true
        value.number = number
        return value
    }

    /// What a rule or a result can depend on.
    struct Summary: Hashable {
        let text: String?
        let bytes: [UInt8]?
        let sensitive: Sensitivity?
        let type: String?
        let unit: String?
        let number: Int?
        let keys: Set<String>
        let marks: UInt16
        let flags: UInt8
        let parameters: UInt32
    }

    var summary: Summary {
        Summary(
            text: text, bytes: bytes, sensitive: sensitive, type: type, unit: unit, number: number, keys: keys,
            marks: marks.rawValue,
            flags: (isConstant ? 1 : 0) | (isOutside ? 2 : 0) | (isPublic ? 4 : 0) | (isPredictable ? 8 : 0)
                | (isTyped ? 16 : 0) | (isNumeric ? 32 : 0) | certainty.rawValue << 6, parameters: parameters)
    }

    /// The same, of which no name says any more that it is a secret.
    var withoutSecret: Value {
        var value = self
        value.sensitive = nil
        value.sensitiveName = ""
        return value
    }

    var isInteresting: Bool { sensitive != nil || isOutside || isTyped || !marks.isEmpty || isConstant }

    /// A value made of both: constant only when both are.
    func joined(_ other: Value) -> Value {
        var result = either(other)
        result.prefix = prefix ?? text
        result.isConstant = isConstant && other.isConstant
        result.text = text.flatMap { first in other.text.map { first + $0 } }
        result.bytes = bytes.flatMap { first in other.bytes.map { first + $0 } }
        return result
    }

    /// One of both: constant when one may be.
    func either(_ other: Value) -> Value {
        var result = self
        if let kind = other.sensitive {
            let isGraver = kind == .password && result.sensitive != .password && other.certainty != .denied
            if result.sensitive == nil || certainty < other.certainty || isGraver {
                result.sensitive = kind
                result.sensitiveName = other.sensitiveName
                result.certainty = other.certainty
                result.question = other.question
                result.elsewhere = other.elsewhere
            }
        }
        result.parameters = carried | other.carried
        if !isOutside, other.isOutside { result.steps = other.steps }
        result.isOutside = isOutside || other.isOutside
        result.isTyped = isTyped || other.isTyped
        result.isNumeric = isNumeric || other.isNumeric
        result.isConstant = isConstant || other.isConstant
        result.isFixed = isFixed && other.isFixed
        result.marks.formUnion(other.marks)
        if isOutside { result.marks.subtract(Marks.ofOrigin.subtracting(marks)) }
        if other.isOutside { result.marks.subtract(Marks.ofOrigin.subtracting(other.marks)) }
        result.text = text ?? other.text
        result.bytes = bytes ?? other.bytes
        result.isObfuscated = isObfuscated || other.isObfuscated
        result.number = [number, other.number].compactMap { $0 }.min()
        result.type = type ?? other.type
        result.unit = unit ?? other.unit
        result.isPublic = isPublic || other.isPublic
        result.isPredictable = isPredictable || other.isPredictable
        result.keys.formUnion(other.keys)
        result.prefix = prefix ?? other.prefix
        result.origin = origin ?? other.origin
        return result
    }

    /// The parameters that the value still comes from: a sanitised one comes from none.
    var carried: UInt32 { isInteresting ? parameters : 0 }

    /// The same data in another shape, such as `Data(text.utf8)`.
    func reshaped() -> Value {
        var result = self
        result.type = nil
        result.unit = nil
        return result
    }
}
