// Has the authority make a client for this app alone, signs in with it, and has it deleted with the connection.
import Pavise
import PaviseSession
import PaviseTransport

let connections = Connections()
let client = try Connections.platformClient(TrustPolicy())
let signIn = SignIn(client: client, browser: SystemBrowser())
let server = try await signIn.discover(issuer: "https://id.example.org")
let made = try await connections.register(at: server, by: signIn, name: "My App", scopes: ["openid"])

let origin = try WebURL("https://cloud.example.org").origin
let connection = try connections.add("work", origin: origin, issuer: server.issuer, clientID: made.clientID)
do {
    try await connection.signIn(at: server, clientSecret: made.secret)
    try await connection.keep(made)
} catch {
    await connection.giveUp(made)
    throw error
}

let removal = try await connections.remove("work")
print(removal.deregistered ?? false)
