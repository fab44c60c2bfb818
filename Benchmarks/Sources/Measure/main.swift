// measure SUBJECT …: one measurement, ours or a peer's, printed as one line of JSON. bench.py runs and compares them.
internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let rest = Array(arguments.dropFirst())
do {
    switch arguments.first {
    case "http-pavise": report(try await pavise(rest))
    case "http-download": report(try await download(rest))
    case "http-curl": report(try rawCurl(rest))
    case "ats-decision": report(try atsDecision())
    case "keychain-fill": report(try keychainFill(rest))
    case "keychain-read": report(try keychainRead(rest))
    case "keychain-list": report(try keychainList(rest))
    case "keychain-reader": report(try keychainReader(rest))
    case "rsa": report(try rsa(rest))
    case "durable-add": report(try durableAdd(rest))
    case "sealing": report(try sealing(rest))
    case "web-tokens": report(try webTokens(rest))
    case "session-layer": report(try await sessionLayer(rest))
    case "session-store": report(try await sessionStore())
    case "session-start": report(try await sessionStart())
    case "storage-put": report(try storagePut(rest))
    case "storage-get": report(try storageGet(rest))
    case "storage-random": report(try storageRandom(rest))
    case "storage-durable": report(try storageDurable(rest))
    case "storage-removal": report(try storageRemoval(rest))
    case "storage-lock": report(try storageLock(rest))
    case "storage-check": report(try storageCheck(rest))
    case "database-table": report(try databaseTable(rest))
    case "database-commits": report(try databaseCommits(rest))
    case "database-count": report(try databaseCount(rest))
    case "database-close": report(try databaseClose(rest))
    case "database-verify": report(try databaseVerify(rest))
    case "sync-plan": report(try syncPlan(rest))
    case "document-pages": report(try documentPages(rest))
    case "log-lines": report(logLines(rest))
    case "tpm-sign": report(try tpmSign(rest))
    default: usage()
    }
} catch {
    FileHandle.standardError.write(Data("measure: \(error)\n".utf8))
    exit(1)
}
