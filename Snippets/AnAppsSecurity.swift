// The security of an app, wired once: lock, judged servers, accounts, sealed files and databases, one error, a wipe.
import Pavise

struct Me: Decodable, Sendable { let user: String }

let security = try AppSecurity(identifier: "org.example.diary")
try await security.lock.setPIN(readLine() ?? "")

let server = try await security.review("https://cloud.example.org")
switch server.verdict {
case .trusted: break
case .needsApproval(let certificate):
    print("Compare this key with what the server's owner says:", certificate.summary.spki)
    guard readLine() == "yes" else { throw CancellationError() }
    try await server.approve()
case .refused(let reason): throw reason
}

do {
    let account = try await security.connect(server, as: "work", clientID: "diary")
    let watching = Task { for await state in account.states { print(state) } }
    let notices = Task { for await notice in security.notices { print(notice.title, notice.message) } }
    let me = try await account.get("/api/me", as: Me.self)
    for try await bytes in account.stream("/files/1") { print(me.user, bytes.count) }
    let file = try await account.download("/files/1", to: account.files, protection: .complete)
    print(try account.files.open(file).attributes.length)
    let picture = try await account.image("/users/7/picture", protection: .complete)
    print(picture.count)
    security.lock.enterBackground()
    if !security.lock.enterForeground().isOpen { try await security.lock.unlock(readLine() ?? "") }
    print(await account.signOut().revocation)
    watching.cancel()
    notices.cancel()
} catch let error as PaviseError {
    switch error.recovery {
    case .signIn: print("Sign in again.")
    case .unlock: print("Unlock the app first.")
    case .retry(let seconds): print("Try again in \(seconds) s.")
    default: print(error.title, error.message(in: .current))
    }
}
try await security.wipe()
