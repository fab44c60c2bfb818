// The security of an app, wired once: lock, judged servers, accounts, sealed files and databases, one error, a wipe.
// `make new-app` runs it against a server of the lab.
import Pavise

struct Me: Decodable, Sendable { let user: String }

let security = try AppSecurity(identifier: "org.example.diary")
let steps = [DatabaseMigration(1, "nights", "CREATE TABLE night(date TEXT PRIMARY KEY, awake INTEGER) STRICT")]

@MainActor func connect() async throws -> Account {
    let server = try await security.review("https://cloud.example.org")
    if case .needsApproval(let certificate) = server.verdict {
        print("Compare this key with what the server's owner says:", certificate.summary.spki)
        if readLine() == "yes" { try await server.approve() }
    }
    return try await security.connect(server, as: "work", clientID: "diary")
}

do {
    if security.lock.state == .unset { try await security.lock.setPIN(readLine() ?? "") }
    if !security.lock.state.isOpen { try await security.lock.unlock(readLine() ?? "") }
    let account = try security.accountNames().contains("work") ? security.account("work") : await connect()
    Task { for await notice in security.notices { print(notice.title, notice.message) } }
    Task { for await state in account.states { print(state) } }
    let me = try await account.get("/api/me", as: Me.self)
    for try await bytes in account.stream("/files/1") { print(me.user, bytes.count) }
    print(try await account.download("/files/1", to: account.files, protection: .complete))
    let diary = try security.database("diary", protection: .complete, migrations: steps)
    _ = try diary.write { try $0.run("INSERT INTO night(date, awake) VALUES (\("2026-11-24"), \(3))") }
    security.lock.enterBackground()
    if !security.lock.enterForeground().isOpen { try await security.lock.unlock(readLine() ?? "") }
    print(await account.signOut().revocation)
} catch let error as PaviseError {
    switch error.recovery {
    case .signIn: print("Sign in again.")
    case .unlock: print("Unlock the app first.")
    case .retry(let seconds): print("Try again in \(seconds) s.")
    default: print(error.title, error.message(in: .current))
    }
}
try await security.wipe()
