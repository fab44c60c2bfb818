// Records of an app that are the same on all devices, and a folder of files: written here first, merged field by field,
// nothing lost where two devices changed the same.
import Pavise
import PaviseSync

nonisolated struct Night: Codable, Identifiable, Sendable {
    let id: String
    var awake: Int
    var note: String?
}

let security = try AppSecurity(identifier: "org.example.diary")
let account = try security.account("work")
let nights = try account.records(of: Night.self, at: "/api/records/nights", protection: .complete)
try nights.put(Night(id: "2026-11-24", awake: 3))
let report = await nights.sync()
let watching = Task { for await state in nights.states { print(state.activity, state.unsent, state.conflicts) } }
for question in report.questions { print(question) }
if !report.questions.isEmpty, readLine() == "yes" { _ = await nights.sync(approving: report.questions) }

// An editor gives what it began with; what came meanwhile is merged.
if let seen = try nights.record("2026-11-24") {
    var edited = seen
    edited.note = "rain"
    try nights.put(edited, over: seen)
}

// Both versions stay until a person chooses; the other one's fields are kept for 30 days.
for conflict in try nights.conflicts() { try nights.close(conflict, keeping: conflict.other) }

// A screen has each record, or why it cannot be read, after each change.
func show(_ nights: Records<Night>) async throws {
    for try await rows in nights.values {
        for row in rows {
            switch row.record {
            case .success(let night): print(night.id, night.awake)
            case .failure(let error): print(row.id, error.message(in: .current))
            }
        }
    }
}

// For good: of a record that is erased nothing stays on this device.
try nights.erase("2026-11-24")

let notes = try account.sync(folder: "/home/ada/Notes", with: "/dav/notes", device: "Ada's laptop")
print(await notes.run().isComplete)
// Each choice says what it loses.
for conflict in try await notes.conflicts() {
    for choice in conflict.choices { print(choice, conflict.loss(of: choice) as Any) }
    try await notes.close(conflict, keeping: .both)
}
// What was replaced or deleted stays for 30 days, sealed; a large content is read piece by piece.
for kept in try notes.kept() where kept.reason == .replaced {
    guard let content = try await notes.content(kept.digest) else { continue }
    var count = 0
    try content.pieces { piece throws(SyncFailure) in count += piece.count }
    print(kept.name, count)
}

// The same with files that lie in the account's store alone, sealed.
func keepSealed(_ account: Account) async throws {
    let notes = try account.sync(sealed: "notes", with: "/dav/notes", device: "Ada's phone")
    if let folder = notes.sealed {
        try folder.write(Array("rain".utf8), to: "2026/november.txt")
        let text = try folder.content(of: "2026/november.txt")?.bytes()
        print(text ?? [])
    }
    let report = await notes.run()
    print(report.isComplete)
}

// A server of an app's own language gives what it reads to a sink.
func give(_ pieces: [[UInt8]], of version: RemoteVersion, to sink: ContentSink) throws(SyncFailure) {
    try sink.begin(version)
    for piece in pieces { try sink.append(piece) }
}
watching.cancel()
