package import AuditCore
internal import AuditDriver
internal import Foundation

/// A folder of evidence: its files, and whether they are what the manifest says.
package struct EvidenceBundle {
    package struct Failure: Error, CustomStringConvertible { package let description: String }

    /// The names of all files that a run may write into its folder.
    package static let names = [
        "evidence.jsonl", "inputs.jsonl", "findings.sarif", "report.en.html", "report.de.html", "cyclonedx.json",
        "register.json", "diagnosis.jsonl", "statements.json", "statements.json.jws", "manifest.json",
        "manifest.json.jws", "run.json",
    ]

    /// Names and contents, without the manifest.
    package private(set) var files: [String: String] = [:]
    package private(set) var records: [EvidenceRecord] = []

    /// - Parameter statements: The maker's file and the signature over it, to be kept beside the records.
    package init(_ builder: EvidenceBuilder, standard: String, statements: (text: String, signature: String)? = nil) {
        if let statements {
            files["statements.json"] = statements.text
            files["statements.json.jws"] = statements.signature
        }
        files["diagnosis.jsonl"] = builder.diagnosis?.text
        records = builder.records(standard)
        let missing = builder.notRead
        files["evidence.jsonl"] = records.map { CanonicalJSON.text($0) + "\n" }.joined()
        files["inputs.jsonl"] = builder.inputs()
        files["findings.sarif"] = SARIFLog(builder.result).text() + "\n"
        files["report.en.html"] = EvidenceReport(records, notAnalysed: missing, german: false).text()
        files["report.de.html"] = EvidenceReport(records, notAnalysed: missing, german: true).text()
        files["cyclonedx.json"] = CycloneDX(records).text()
        files["register.json"] = Self.register(builder)
    }

    /// What was left out on purpose: suppressions, accepted findings, rows that do not concern the app, and those that
    /// it leaves out.
    private static func register(_ builder: EvidenceBuilder) -> String {
        struct Register: Encodable {
            struct Suppression: Encodable {
                let place: String
                let reason: String
                let rule: String
            }
            let accepted: [MakerFile.Deviation]
            /// Fingerprints of `accepted` whose review is due on `judgedOn`.
            let expired: [String]
            let judgedOn: String?
            /// Rows with SHOULD or MAY.
            let leftOut: [MakerFile.LeftOut]?
            let notApplicable: [MakerFile.Statement]
            let suppressed: [Suppression]
        }
        let suppressed = builder.result.all.compactMap { finding in
            finding.suppressed.map {
                Register.Suppression(
                    place: "\(builder.result.relative(finding.file)):\(finding.line)", reason: $0, rule: finding.rule)
            }
        }
        let isJudged = builder.maker.accepted?.isEmpty == false || builder.maker.leftOut?.isEmpty == false
        return CanonicalJSON.text(
            Register(
                accepted: builder.maker.accepted ?? [], expired: builder.expired.keys.sorted(),
                judgedOn: isJudged ? builder.surroundings.day : nil, leftOut: builder.maker.leftOut,
                notApplicable: builder.maker.notApplicable ?? [],
                suppressed: suppressed)) + "\n"
    }

    /// `manifest.json`: the SHA-256 of each file.
    package var manifest: String {
        struct Manifest: Codable {
            let files: [String: String]
            let schema: String
        }
        return CanonicalJSON.text(
            Manifest(files: files.mapValues { "sha256:" + SHA256.hex($0) }, schema: "pavise-evidence-bundle/1")) + "\n"
    }

    /// Writes the files into a folder, the manifest last: a folder without one is not whole.
    package func write(to folder: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = folder + "/manifest.json"
            // A signature over another manifest is none over this one, and what was given to another run is none of it.
            let given = ["/statements.json", "/statements.json.jws", "/diagnosis.jsonl"].map { folder + $0 }
            for name in [old, old + ".jws"] + given where FileManager.default.fileExists(atPath: name) {
                try FileManager.default.removeItem(atPath: name)
            }
            for (name, text) in files.sorted(by: { $0.key < $1.key }) {
                try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
            }
            try manifest.write(toFile: old, atomically: true, encoding: .utf8)
        } catch {
            throw Failure(description: "\(folder) cannot be written")
        }
    }

    /// The most bytes of a file of a bundle that are read. A bundle may be anybody's.
    private static let largest = 1 << 28

    /// Says what of a folder is not as its manifest and its records say; nothing when all is.
    ///
    /// - Parameter signer: The key that must have signed the manifest; `nil` where no signature is asked for.
    package static func defects(_ folder: String, signer: SigningKey? = nil) -> [String] {
        var defects = changes(folder)
        guard let signer else { return defects }
        let manifest = BoundedFile.data(folder + "/manifest.json", limit: largest).map { [UInt8]($0) } ?? []
        let signature = BoundedFile.data(folder + "/manifest.json.jws", limit: 4_096).map {
            String(decoding: $0, as: UTF8.self)
        }
        if let signature {
            if !DetachedJWS.verifies(signature, manifest, with: signer) {
                defects.append("manifest.json.jws is no signature of this key over the manifest")
            }
        } else {
            defects.append("manifest.json.jws is not there")
        }
        return defects
    }

    private static func changes(_ folder: String) -> [String] {
        struct Manifest: Codable {
            let files: [String: String]
            let schema: String
        }
        guard let data = BoundedFile.data(folder + "/manifest.json", limit: largest),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data),
            manifest.schema == "pavise-evidence-bundle/1"
        else { return ["manifest.json is not there, or is no manifest of evidence"] }
        var defects: [String] = []
        for name in ["evidence.jsonl", "inputs.jsonl", "findings.sarif"] where manifest.files[name] == nil {
            defects.append("\(name) is not in the manifest")
        }
        for (name, digest) in manifest.files.sorted(by: { $0.key < $1.key }) {
            guard !name.contains("/"), let bytes = BoundedFile.data(folder + "/" + name, limit: largest) else {
                defects.append("\(name) is not there")
                continue
            }
            if "sha256:" + SHA256.hex([UInt8](bytes)) != digest { defects.append("\(name) was changed") }
        }
        let others = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let known = Set(manifest.files.keys).union(["manifest.json", "manifest.json.jws", "run.json"])
        for name in others.sorted() where !known.contains(name) { defects.append("\(name) is not in the manifest") }
        guard let records = try? read(folder) else {
            return defects + ["evidence.jsonl holds a line that is no record"]
        }
        let inputs = BoundedFile.data(folder + "/inputs.jsonl", limit: largest).map {
            "sha256:" + SHA256.hex([UInt8]($0))
        }
        for record in records {
            if !record.isIntact { defects.append("\(record.requirement.id): the record’s digest is another") }
            if record.inputs.digest != inputs { defects.append("\(record.requirement.id): the inputs are others") }
        }
        return defects
    }

    package static func read(_ folder: String) throws(Failure) -> [EvidenceRecord] {
        guard let data = BoundedFile.data(folder + "/evidence.jsonl", limit: largest) else {
            throw Failure(description: "\(folder) holds no evidence.jsonl")
        }
        var records: [EvidenceRecord] = []
        for line in data.split(separator: 10) {
            guard let record = try? JSONDecoder().decode(EvidenceRecord.self, from: Data(line)) else {
                throw Failure(description: "\(folder)/evidence.jsonl holds a line that is no record")
            }
            records.append(record)
        }
        return records
    }
}
