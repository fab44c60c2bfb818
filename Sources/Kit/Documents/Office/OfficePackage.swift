/// An office document in an archive: its parts, and how they are related (ECMA-376 part 2, Open Packaging Conventions).
struct OfficePackage {
    var archive: ZIPArchive
    let limits: DocumentLimits

    struct Relation: Hashable, Sendable {
        let target: String
        let type: String
        let isExternal: Bool
    }

    /// The relations of a part, by their id.
    mutating func relations(of part: String) throws(DocumentFailure) -> [String: Relation] {
        let (folder, name) = Self.split(part)
        guard let bytes = try archive.file("\(folder)_rels/\(name).rels") else { return [:] }
        var reader = XMLReader(bytes, depth: limits.depth)
        var found: [String: Relation] = [:]
        while let piece = try reader.next() {
            guard case .start(let tag) = piece, tag.name == "Relationship", let id = tag.value("Id"),
                let target = tag.value("Target"), found.count < limits.entries
            else { continue }
            let isExternal = tag.value("TargetMode")?.lowercased() == "external"
            found[id] = Relation(
                target: isExternal ? target : Self.resolved(target, in: folder),
                type: tag.value("Type")?.split(separator: "/").last.map(String.init) ?? "", isExternal: isExternal)
        }
        return found
    }

    private static func split(_ part: String) -> (String, String) {
        guard let slash = part.lastIndex(of: "/") else { return ("", part) }
        return (String(part[...slash]), String(part[part.index(after: slash)...]))
    }

    static func resolved(_ target: String, in folder: String) -> String {
        var parts = target.hasPrefix("/") ? [] : folder.split(separator: "/")
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// Counts what of the archive was not looked at: after everything that is shown was.
    func countLeftOut(_ writer: inout PageWriter) {
        for name in archive.names {
            let lower = name.lowercased()
            if lower.hasSuffix("vbaproject.bin") || lower.hasPrefix("basic/") || lower.hasPrefix("scripts/") {
                writer.omit(.macro)
            } else if lower.contains("/embeddings/") || lower.contains("oleobject") || lower.contains("activex/") {
                writer.omit(.embeddedObject)
            } else if lower.hasSuffix(".zip") || lower.contains("afchunk") {
                writer.omit(.attachment)
            } else if Self.isMedium(lower), !archive.taken.contains(name) {
                writer.omit(.attachment)
            } else if lower.hasSuffix(".xml"), lower.contains("notesslides/") {
                writer.omit(.speakerNote)
            } else if lower.hasSuffix(".xml"), Self.hasComments(lower) {
                writer.omit(.comment)
            } else if lower.contains("externallinks/externallink") {
                writer.omit(.externalReference)
            }
        }
    }

    private static func isMedium(_ name: String) -> Bool {
        !name.hasSuffix("/") && (name.contains("/media/") || name.hasPrefix("media/") || name.hasPrefix("pictures/"))
    }

    // Of a text document they are shown; what else is beside them there has no text.
    private static func hasComments(_ name: String) -> Bool {
        guard name.hasPrefix("xl/") || name.hasPrefix("ppt/"), !name.hasPrefix("ppt/commentauthors") else {
            return false
        }
        return name.contains("/comment") || name.contains("/threadedcomment")
    }
}
