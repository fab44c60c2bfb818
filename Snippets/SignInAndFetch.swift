// Signs in to a server with the system's browser, asks it something, and leaves nothing behind.
import Pavise

let connections = Connections()
let origin = try WebURL("https://cloud.example.org").origin
let connection = try connections.add("work", origin: origin, clientID: "my-app")
try await connection.signIn()

let answer = try await connection.send(HTTPRequest("GET", connection.url("/api/me")))
print(answer.status, answer.body.count)

let removal = try await connections.remove("work")
print(removal.revocation)
