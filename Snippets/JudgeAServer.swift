// Looks at a server's certificate under a pin, before any request is sent.
import Pavise
import PaviseTransport

let origin = try WebURL("https://cloud.example.org").origin
guard let current = Pin("tSs8eJqTkz/kNWq8kzqUb3kzd0sZGuy2G0TQXUVTZFk=") else { throw CancellationError() }
let pins = try PinSet(hosts: [origin.host], leaf: [current], backup: .notRequired)
let client = try HTTPClient(policy: TrustPolicy(pins: [pins]))

switch try await client.inspect(origin).decision {
case .allow(let grounds): print("trusted: \(grounds)")
case .ask(let refusal): print("a person may approve: \(refusal.failures)")
case .deny(let refusal): print("refused: \(refusal.failures)")
}
