// Asks a server how it lets people sign in, signs in, and asks its authority who that was.
import Pavise

let connections = Connections()
let connection = try connections.open("work")
let origin = connection.descriptor.origin

switch try await connections.chooseMethod(at: origin, client: connection.client) {
case .use(let method): print("the server offers \(method)")
case .ask(let method, insteadOf: let better): print("only \(method); a person decides about going without \(better)")
case .refuse, .none, .undecided: print("not now")
}

try await connection.signIn()
let person = try await connection.userInfo()
print(person.name ?? person.subject)
