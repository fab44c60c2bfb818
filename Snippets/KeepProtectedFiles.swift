// Keep a document so that nobody reads it while the device is locked.
import PaviseProtectedStorage
import PaviseStorage

let files = try ProtectedFiles.ofHome()
let report = try files.put(
    Array("Slept 7 h 20 min".utf8), named: "night.txt", type: "text/plain", protection: .complete)

do {
    let bytes = try files.get(report, limit: 1_000_000)
    print(String(decoding: bytes, as: UTF8.self))
} catch StorageFailure.locked {
    print("Unlock the device first. Nothing is lost.")
} catch StorageFailure.damaged(let damage) {
    print(damage)
}

// For a consumer that cannot wait for the end.
var stream = StreamedContent(of: try files.open(report))
reading: while true {
    switch try stream.next() {
    case .unfinished(let bytes): print(bytes.count, "bytes, and perhaps more")
    case .finished: break reading
    }
}
try files.remove(report)

// Of this one half of the key is destroyed with it: no copy of it opens any more.
let letter = try files.put(
    Array("Dear doctor".utf8), named: "letter.txt", type: "text/plain", protection: .complete, erasable: true)
try files.remove(letter)
