// The security of an app, wired once: a lock, judged servers, accounts, one error, a wipe.
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
    let me = try await account.get("/api/me", as: Me.self)
    print(me.user, await account.state)
    security.lock.enterBackground()
    if !security.lock.enterForeground().isOpen { try await security.lock.unlock(readLine() ?? "") }
    print(await account.signOut().revocation)
} catch {
    switch error.recovery {
    case .signIn: print("Sign in again.")
    case .unlock: print("Unlock the app first.")
    case .retry(let seconds): print("Try again in \(seconds) s.")
    default: print(error.title, error.message(in: .current))
    }
}
try await security.wipe()
