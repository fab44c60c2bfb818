package import PavisePrimitives

/// Reads `NSAppTransportSecurity` of an Info.plist and says what each key really does.
///
/// It knows the order in which Apple's code looks at the keys: what has no effect is not reported as if it were open.
package struct ATSLint {
    let list: PropertyListValue
    let root: PropertyListValue.Member?
    let configuration: ATSConfiguration
    var findings: [ATSLintFinding] = []
    /// Entries that include subdomains, each with a name two or more labels below it that the list mentions.
    var deepNames: [String: String] = [:]
    /// The longest name whose labels are looked at, in bytes; no host has more than 253.
    static let longestName = 1_024

    /// The findings in `list`, the top of an Info.plist, in the order of their lines.
    package static func findings(in list: PropertyListValue) -> [ATSLintFinding] {
        var lint = ATSLint(list)
        lint.run()
        return lint.findings.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }.map(\.element)
    }

    private init(_ list: PropertyListValue) {
        self.list = list
        root = list.member(ATSKey.root)
        configuration = ATSConfiguration(propertyList: root?.value)
    }

    private mutating func run() {
        misplaced()
        guard let root else { return }
        guard let members = root.value.members else {
            add(
                .type, root, [ATSKey.root],
                "\(ATSKey.root) is a \(root.value.typeName) and not a dictionary: the app has no ATS keys.")
            return
        }
        duplicates(members, [ATSKey.root])
        findDeepNames()
        globals()
        keys(members, known: ATSKey.global, [ATSKey.root])
        exceptions()
        pins()
        justification()
    }

    // What stands at the top of the list looks right to a reader, and nothing reads it there.
    private mutating func misplaced() {
        for member in list.members ?? [] where (ATSKey.global + ATSKey.entry).contains(member.name) {
            add(
                .unknownKey, member, [member.name],
                "“\(member.name)” stands at the top of the list: nothing reads it there, and it has no effect.",
                alternative: "Move it into \(ATSKey.root), or delete it.")
        }
    }

    /// Adds a finding about `member`.
    mutating func add(
        _ rule: ATSLintRule, _ member: PropertyListValue.Member?, _ path: [String], _ text: String,
        alternative: String? = nil, needsJustification: Bool = false
    ) {
        findings.append(
            ATSLintFinding(
                rule, line: member?.line, path: path, text, alternative: alternative,
                needsJustification: needsJustification))
    }

    /// Reports what `known` does not have: dead, former and unknown names.
    mutating func keys(_ members: [PropertyListValue.Member], known: [String], _ path: [String]) {
        for member in members where !known.contains(member.name) {
            let place = path + [member.name]
            if member.name == ATSKey.transparency {
                add(
                    .transparencyDead, member, place,
                    "\(member.name) is not read: transparency is always checked for the system's roots.",
                    alternative: "Delete the key.")
            } else if ATSKey.isLegacy(member.name) {
                add(.legacy, member, place, legacyWords(member.name), alternative: legacyAdvice(member.name))
            } else {
                unknown(member, known: known, place)
            }
        }
    }

    private mutating func unknown(_ member: PropertyListValue.Member, known: [String], _ path: [String]) {
        let others = ATSKey.global + ATSKey.entry + ATSKey.pinned
        let advice: String? =
            if others.contains(member.name) {
                "Move it: “\(member.name)” does not belong into this dictionary."
            } else {
                ATSKey.nearest(to: member.name, among: known).map { "Did you mean “\($0)”?" }
            }
        add(
            .unknownKey, member, path, "“\(member.name)” is no key that ATS reads here: it has no effect.",
            alternative: advice)
    }

    private func legacyWords(_ name: String) -> String {
        if name.hasPrefix("NSTemporary") {
            return "\(name) is a name of the first beta of iOS 9: nothing reads it."
        }
        if name == "NSAllowsArbitraryLoadsInMedia" {
            return "\(name) is an early name of \(ATSKey.media): nothing reads it."
        }
        return
            """
            \(name) was documented until 2016. Apple's published code does not read it; whether older systems do is \
            not known.
            """
    }

    private func legacyAdvice(_ name: String) -> String {
        if name == "NSAllowsArbitraryLoadsInMedia" { return "Write \(ATSKey.media), or delete the key." }
        let plain = name.replacingPrefix("NSThirdPartyException", with: "NSException")
            .replacingPrefix("NSTemporaryThirdPartyException", with: "NSException")
            .replacingPrefix("NSTemporaryException", with: "NSException")
        return ATSKey.entry.contains(plain) ? "Write \(plain), or delete the key." : "Delete the key."
    }

    /// Reports names that stand twice in one dictionary.
    mutating func duplicates(_ members: [PropertyListValue.Member], _ path: [String]) {
        var seen: Set<String> = []
        for member in members where !seen.insert(member.name).inserted {
            add(.duplicateKey, member, path + [member.name], "“\(member.name)” stands twice; only the last one counts.")
        }
    }

    /// Reports a value that is no Boolean; `nil` when it is absent.
    mutating func boolean(_ name: String, in value: PropertyListValue, _ path: [String]) {
        guard let member = value.member(name) else { return }
        let place = path + [name]
        guard let truth = member.value.truth else {
            add(
                .type, member, place, "\(name) is a \(member.value.typeName): it counts as absent.",
                alternative: "Write <true/> or <false/>.")
            return
        }
        switch member.value.kind {
        case .bool, .integer(0), .integer(1): break
        default:
            add(
                .type, member, place, "\(name) is a number other than 0 and 1: it counts as \(truth).",
                alternative: "Write <true/> or <false/>.")
        }
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
