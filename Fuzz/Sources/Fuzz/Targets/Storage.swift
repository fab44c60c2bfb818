internal import Foundation
internal import PavisePrimitives

@testable internal import PaviseProtectedStorage
@testable internal import PaviseStorage
@testable internal import SecurityFramework

extension FuzzTarget {
    /// Protected files, the steps of a schema, settings, statements that a person typed.
    static let storage = [fileHead, fileChunks, containerRecord, migrationTable, settingsFile, statements, backup]

    // The head alone: with the content behind it, most changes would be to bytes that nobody looks at here.
    private static let fileHead = FuzzTarget(
        "file-head",
        seeds: {
            let bytes = try Sealed.bytes.get()
            return [Array(bytes.prefix(try SealedFileHead.decode(bytes).head.count))]
        },
        run: { bytes in
            guard let (head, tag) = try? SealedFileHead.decode(bytes) else { return }
            require(bytes.starts(with: head.tagged + tag), "a head has two forms")
            require(head.count <= SealedFileHead.limit, "a head without a bound")
        })

    // Whatever is changed: the content that was written, or an error; and no piece of anything else on the way. Inputs
    // are changes to the file and not the file itself, which is a hundred times as long as most of them.
    private static let fileChunks = FuzzTarget(
        "file-chunks",
        seeds: {
            // Without the file no input would change anything.
            _ = try Sealed.bytes.get()
            return Change.seeds
        },
        run: { input in
            guard let (container, id) = try? Sealed.container.get(), var bytes = try? Sealed.bytes.get() else { return }
            let sealed = bytes
            for change in Change.all(in: input) { change.apply(to: &bytes) }
            // In place and unsynchronised: millions of inputs, and nothing of them is to be kept.
            do throws(SystemFailure) {
                let file = try FileDescriptor.open(container.path(of: id), O_WRONLY | O_TRUNC)
                try file.write(bytes.span)
            } catch {
                return
            }
            guard let reader = try? container.readFile(id) else {
                return require(bytes != sealed, "the file that was written is refused")
            }
            var isWhole = true
            for number in 0..<reader.chunks {
                guard let chunk = try? reader.chunk(number) else {
                    isWhole = false
                    continue
                }
                let start = number * reader.chunkSize
                let end = start + chunk.count
                require(
                    end <= Sealed.content.count && chunk.elementsEqual(Sealed.content[start..<end]),
                    "bytes that nobody wrote")
            }
            let whole = try? reader.readAll(limit: 1 << 20)
            require((whole != nil) == isWhole, "a part is given out as the whole, or the whole refused")
            if let whole { require(whole == Sealed.content, "another file") }
        })

    private static let containerRecord = FuzzTarget(
        "container-record",
        seeds: { [[1, 1, 0b11110] + [UInt8](repeating: 7, count: 16), [2], []] },
        run: { bytes in
            let stored = SecretBytes(copying: bytes)
            guard let record = try? ContainerRecord(decoding: stored) else { return }
            let again = record.encoded().withBytes { bytes in Array(bytes) }
            require(again == bytes, "a record has two forms")
        })

    // Two bytes of a number, then a digest, as often as there are bytes.
    private static let migrationTable = FuzzTarget(
        "migration-table",
        seeds: { [[0, 1] + Sealed.steps[0].digest + [0, 2] + Sealed.steps[1].digest, []] },
        run: { bytes in
            let rows = stride(from: 0, to: bytes.count, by: 34).map { start -> [SQLValue] in
                let row = bytes[start..<min(bytes.count, start + 34)]
                let number = row.prefix(2).reduce(Int64(0)) { $0 << 8 | Int64($1) }
                return [.integer(number), .blob(Array(row.dropFirst(2)))]
            }
            guard let state = try? MigrationState(rows: rows), let rest = try? state.pending(Sealed.steps) else {
                return
            }
            require(rest.count + state.done.count == Sealed.steps.count, "a step runs twice or never")
            require(state.done.allSatisfy { Sealed.steps[$0 - 1].digest == $1 }, "a changed step is taken for done")
        })

    private static let settingsFile = FuzzTarget(
        "settings-file",
        seeds: { ["{}", "{\"theme\": \"dark\", \"size\": 12, \"sound\": true}\n"].map { Array($0.utf8) } },
        run: { bytes in
            guard let values = SettingsFile.values(in: bytes) else { return }
            let members = values.map { JSONValue.Member($0, $1) }
            let again = SettingsFile.values(in: Array(JSONValue.object(members).text.utf8))
            require(again == values, "settings that do not come back")
        })

    private static let statements = FuzzTarget(
        text: "statements",
        seeds: [
            "SELECT 1; SELECT ';' -- ;\n;", "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END; DELETE FROM c",
        ],
        run: { text in
            var splitter = StatementSplitter()
            let whole = splitter.take(text)
            let rest = splitter.finish()
            require(whole.joined().utf8.count + (rest?.utf8.count ?? 0) <= text.utf8.count, "more than was typed")
            for statement in whole { require(statement.hasSuffix(";"), "a statement without its end") }
            _ = StatementShape(text)
        })

    // The head alone: whoever asks for more than the bounds is refused before anything is computed.
    private static let backup = FuzzTarget(
        "backup-head",
        seeds: {
            [Array("Pavise database backup 1\n".utf8), Array("Pavise database backup 2\n".utf8)].map {
                $0 + [0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1] + [UInt8](repeating: 1, count: 32)
            }
        },
        run: { bytes in
            guard bytes.count > 37, bytes[23] == 0x31 || bytes[23] == 0x32 else { return }
            let numbers = (0..<3).map { place in
                bytes[(25 + place * 4)..<(29 + place * 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            guard let stretching = BackupStretching(format: bytes[23] - 0x30, numbers) else { return }
            require(stretching.numbers == numbers && stretching.format == bytes[23] - 0x30, "a price has two forms")
            require(numbers[0] <= 20_000_000, "a price without a bound")
        })
}

private enum Sealed {
    static let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    static let steps = [
        DatabaseMigration(1, "a", "CREATE TABLE a(b)"), DatabaseMigration(2, "c", "CREATE TABLE c(d)"),
    ]
    static let container = Result { () throws -> (StorageContainer, StoredFileID) in
        let home = PaviseHome(path: FileManager.default.temporaryDirectory.path + "/sealed")
        try DurableFile.makeDirectory(home.path)
        let environment = SecurityEnvironment(home: home)
        return try SecurityEnvironment.$override.withValue(environment) {
            let container = try StorageContainer.open(home.path + "/protected", name: "home")
            let id = try container.writeFile(
                name: "a", type: "", modified: 0, protection: .none, chunkExponent: 12
            ) { (write: ([UInt8]) throws(StorageFailure) -> Void) throws(StorageFailure) in try write(content) }.get()
            return (container, id)
        }
    }
    static let bytes = Result { () throws -> [UInt8] in
        let (holder, id) = try container.get()
        return try DurableFile.read(holder.path(of: id), limit: 1 << 20)
    }
}

/// One change of a sealed file, in eight bytes of an input: what, from where, to where, how much.
private struct Change {
    let kind: UInt8
    let value: UInt8
    let from: Int
    let to: Int
    let count: Int

    static let seeds: [[UInt8]] = (0..<6).map { [$0, 1, 0, 250, 16, 0, 0, 5] }

    /// At most eight: more tell nothing that fewer do not.
    static func all(in input: [UInt8]) -> [Change] {
        stride(from: 0, to: min(input.count, 64) - 7, by: 8).map { start in
            func number(_ place: Int) -> Int { Int(input[start + place]) << 8 | Int(input[start + place + 1]) }
            return Change(
                kind: input[start], value: input[start + 1], from: number(2), to: number(4), count: number(6))
        }
    }

    func apply(to bytes: inout [UInt8]) {
        let from = min(from, bytes.count)
        let piece = from..<min(from + count, bytes.count)
        switch kind % 6 {
        // A bit, a byte or more turned around; zeros; a piece at another place; cut, longer, and bytes moved along.
        case 0: for place in piece { bytes[place] ^= max(value, 1) }
        case 1: for place in piece { bytes[place] = 0 }
        case 2:
            let copy = Array(bytes[piece])
            let to = min(to, bytes.count)
            bytes.replaceSubrange(to..<min(to + copy.count, bytes.count), with: copy)
        case 3: bytes.removeLast(bytes.count - from)
        case 4: bytes += repeatElement(value, count: min(count, 8_192))
        default: bytes.removeSubrange(piece)
        }
    }
}
