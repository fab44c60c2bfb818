internal import AuditCore
internal import Foundation

/// The records as an attestation of CycloneDX 1.6 (`declarations`): what is supported is a claim, what is contradicted
/// a counter-claim. No score of conformance is given. A row that is not assessed is mapped to nothing.
package struct CycloneDX {
    let records: [EvidenceRecord]
    package init(_ records: [EvidenceRecord]) { self.records = records }

    package func text() -> String {
        guard let first = records.first else { return "" }
        let standard = "standard-" + SHA256.hex(first.requirement.standard).prefix(12)
        let claimed = records.filter { $0.verdict == .supported || $0.verdict == .contradicted }
        let map: [[String: Any]] = records.map { record in
            var row: [String: Any] = ["requirement": reference(record)]
            if record.verdict == .supported { row["claims"] = ["claim-" + reference(record)] }
            if record.verdict == .contradicted { row["counterClaims"] = ["claim-" + reference(record)] }
            return row
        }
        let claims: [[String: Any]] = claimed.map { record in
            var claim: [String: Any] = [
                "bom-ref": "claim-" + reference(record), "target": "subject", "predicate": record.claim,
                "reasoning": record.reason,
            ]
            claim[record.verdict == .supported ? "evidence" : "counterEvidence"] = ["evidence-" + reference(record)]
            return claim
        }
        let evidence: [[String: Any]] = claimed.map { record in
            [
                "bom-ref": "evidence-" + reference(record), "propertyName": "pavise-evidence/1",
                "description": record.checks.map { "\($0.id): \($0.outcome)" }.joined(separator: "; "),
                "data": [["name": "evidence.jsonl", "contents": ["url": "evidence.jsonl"]]],
            ]
        }
        let rows: [[String: Any]] = records.map { record in
            ["bom-ref": reference(record), "identifier": record.requirement.id, "text": record.claim]
        }
        var component: [String: Any] = ["bom-ref": "subject", "type": "application", "name": first.subject.name]
        component["version"] = first.subject.version
        let digest = SHA256.hex(records.compactMap(\.digest).joined())
        let log: [String: Any] = [
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": "urn:uuid:" + Self.identifier(digest), "version": 1,
            "definitions": [
                "standards": [
                    [
                        "bom-ref": standard, "name": first.requirement.standard, "version": first.requirement.edition,
                        "requirements": rows,
                    ] as [String: Any]
                ]
            ],
            "declarations": [
                "assessors": [["bom-ref": "assessor", "thirdParty": false]],
                "attestations": [
                    ["summary": "Evidence of \(first.tool.name)", "assessor": "assessor", "map": map] as [String: Any]
                ],
                "claims": claims, "evidence": evidence, "targets": ["components": [component]],
            ] as [String: Any],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: log, options: options) else { return "" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private func reference(_ record: EvidenceRecord) -> String {
        String(record.requirement.id.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
    }

    /// A UUID of version 8 (RFC 9562) made of a digest, so that the same evidence has the same.
    private static func identifier(_ digest: String) -> String {
        var digits = Array(digest.prefix(32))
        digits[12] = "8"
        digits[16] = "a"
        let text = String(digits)
        var parts: [Substring] = []
        var start = text.startIndex
        for length in [8, 4, 4, 4, 12] {
            let end = text.index(start, offsetBy: length)
            parts.append(text[start..<end])
            start = end
        }
        return parts.joined(separator: "-")
    }
}
