// Code that was written for URLSession, with App Transport Security, trust, pins and a redirect policy under it.
// Apple's systems have App Transport Security under their own URLSession.
#if os(Linux)
import Foundation
import PaviseTransport
import PaviseURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

guard let current = Pin("tSs8eJqTkz/kNWq8kzqUb3kzd0sZGuy2G0TQXUVTZFk="),
    let url = URL(string: "https://cloud.example.org/status")
else { throw CancellationError() }
let pins = try PinSet(hosts: ["cloud.example.org"], leaf: [current], backup: .notRequired)
let session = URLSession(configuration: try .pavise(policy: TrustPolicy(pins: [pins])))

do {
    let (data, _) = try await session.data(from: url)
    print("\(data.count) bytes")
} catch let error as URLError {
    print("\(error.code.rawValue): \(error.transportFailure.map { "\($0)" } ?? error.localizedDescription)")
}
#endif
