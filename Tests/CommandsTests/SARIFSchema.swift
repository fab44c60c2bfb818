import PavisePrimitives

/// What the schema of SARIF 2.1.0 (OASIS) says about the objects that Pavise writes: members, their types, which are
/// needed.
///
/// The schema itself is not part of the package. Each object here lists every member that the schema names for it, and
/// as the schema forbids others, so does this.
struct SARIFSchema {
    indirect enum Kind: Sendable {
        case text
        /// A URI with a scheme (RFC 3986 §3), or with `false` a URI reference.
        case uri(isAbsolute: Bool)
        case oneOf([String])
        case integer(atLeast: Int64)
        case list(Kind)
        case object(String)
        /// Pavise does not write it, so nothing is said about it: seeing it fails.
        case unused
    }

    struct Shape: Sendable {
        let members: [String: Kind]
        /// At least one of each group must be there.
        let needed: [[String]]
    }

    private static let levels = Kind.oneOf(["none", "note", "warning", "error"])

    private static func unused(_ names: String) -> [String: Kind] {
        Dictionary(uniqueKeysWithValues: names.split(separator: " ").map { (String($0), Kind.unused) })
    }

    private static func shape(_ members: [String: Kind], _ others: String, _ needed: [[String]]) -> Shape {
        Shape(members: members.merging(unused(others)) { kind, _ in kind }, needed: needed)
    }

    static let shapes: [String: Shape] = [
        "log": shape(
            [
                "$schema": .uri(isAbsolute: true), "version": .oneOf(["2.1.0"]), "runs": .list(.object("run")),
            ], "inlineExternalProperties properties", [["version"], ["runs"]]),
        "run": shape(
            ["tool": .object("tool"), "results": .list(.object("result"))],
            "invocations conversion language versionControlProvenance originalUriBaseIds artifacts logicalLocations "
                + "graphs automationDetails runAggregates baselineGuid redactionTokens defaultEncoding "
                + "defaultSourceLanguage newlineSequences columnKind externalPropertyFileReferences "
                + "threadFlowLocations taxonomies addresses translations policies webRequests webResponses "
                + "specialLocations properties", [["tool"]]),
        "tool": shape(["driver": .object("toolComponent")], "extensions properties", [["driver"]]),
        "toolComponent": shape(
            ["name": .text, "version": .text, "rules": .list(.object("reportingDescriptor"))],
            "guid organization product productSuite shortDescription fullDescription fullName semanticVersion "
                + "dottedQuadFileVersion releaseDateUtc downloadUri informationUri globalMessageStrings notifications "
                + "taxa locations language contents isComprehensive localizedDataSemanticVersion "
                + "minimumRequiredLocalizedDataSemanticVersion associatedComponent translationMetadata "
                + "supportedTaxonomies properties", [["name"]]),
        "reportingDescriptor": shape(
            [
                "id": .text, "shortDescription": .object("multiformatMessageString"),
                "defaultConfiguration": .object("reportingConfiguration"),
            ],
            "deprecatedIds guid deprecatedGuids name deprecatedNames fullDescription messageStrings helpUri help "
                + "relationships properties", [["id"]]),
        "multiformatMessageString": shape(["text": .text], "markdown properties", [["text"]]),
        "reportingConfiguration": shape(["level": levels], "enabled rank parameters properties", []),
        "result": shape(
            [
                "ruleId": .text, "ruleIndex": .integer(atLeast: -1), "level": levels, "message": .object("message"),
                "locations": .list(.object("location")),
            ],
            "rule kind analysisTarget guid correlationGuid occurrenceCount partialFingerprints fingerprints stacks "
                + "codeFlows graphs graphTraversals relatedLocations suppressions baselineState rank attachments "
                + "hostedViewerUri workItemUris provenance fixes taxa webRequest webResponse properties",
            [["message"]]),
        "message": shape(["text": .text], "markdown id arguments properties", [["text", "id"]]),
        "location": shape(
            ["physicalLocation": .object("physicalLocation")],
            "id logicalLocations message annotations relationships properties", []),
        "physicalLocation": shape(
            ["artifactLocation": .object("artifactLocation"), "region": .object("region")],
            "address contextRegion properties", [["address", "artifactLocation"]]),
        "artifactLocation": shape(
            ["uri": .uri(isAbsolute: false)], "uriBaseId index description properties", []),
        "region": shape(
            ["startLine": .integer(atLeast: 1)],
            "startColumn endLine endColumn charOffset charLength byteOffset byteLength snippet message sourceLanguage "
                + "properties", []),
    ]

    /// What is wrong with a log, each with the path of the member.
    static func problems(_ log: JSONValue) -> [String] { problems(log, .object("log"), at: "$") }

    private static func problems(_ value: JSONValue, _ kind: Kind, at path: String) -> [String] {
        switch kind {
        case .text: value.string == nil ? ["\(path): no text"] : []
        case .uri(let isAbsolute):
            value.string.map { isReference($0, isAbsolute: isAbsolute) } == true ? [] : ["\(path): no URI"]
        case .oneOf(let words): words.contains(value.string ?? "") ? [] : ["\(path): none of \(words)"]
        case .integer(let least):
            value.integer.map { $0 >= least } == true ? [] : ["\(path): no integer of at least \(least)"]
        case .list(let element):
            value.array.map { elements in
                elements.enumerated().flatMap { problems($1, element, at: "\(path)[\($0)]") }
            } ?? ["\(path): no array"]
        case .object(let name): object(value, name, at: path)
        case .unused: ["\(path): written, and not checked here"]
        }
    }

    private static func object(_ value: JSONValue, _ name: String, at path: String) -> [String] {
        guard let members = value.members, let shape = shapes[name] else { return ["\(path): no object"] }
        let names = members.map(\.name)
        let missing = shape.needed.filter { Set($0).isDisjoint(with: names) }.map { "\(path): none of \($0)" }
        let twice = Set(names).count == names.count ? [] : ["\(path): a member twice"]
        return missing + twice
            + members.flatMap { member in
                shape.members[member.name].map { problems(member.value, $0, at: "\(path).\(member.name)") }
                    ?? ["\(path).\(member.name): not a member of \(name)"]
            }
    }

    // RFC 3986 §4.1: unreserved, reserved and percent-encoded characters; a colon in front of the first slash ends a
    // scheme.
    private static func isReference(_ text: String, isAbsolute: Bool) -> Bool {
        let marks = "-._~:/?#[]@!$&'()*+,;=%"
        let bytes = Array(text.utf8)
        let isPlain = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        let isHex = { (byte: UInt8) in isPlain(byte) && byte | 0x20 <= UInt8(ascii: "f") }
        for (index, byte) in bytes.enumerated() {
            guard isPlain(byte) || marks.utf8.contains(byte) else { return false }
            guard byte == UInt8(ascii: "%") else { continue }
            guard index + 2 < bytes.count, isHex(bytes[index + 1]), isHex(bytes[index + 2]) else { return false }
        }
        let scheme = text.split(separator: "/", omittingEmptySubsequences: false).first.flatMap { part in
            part.contains(":") ? part.prefix { $0 != ":" } : nil
        }
        guard let scheme else { return !isAbsolute }
        return scheme.first?.isLetter == true && scheme.utf8.allSatisfy { isPlain($0) || "+-.".utf8.contains($0) }
    }
}
