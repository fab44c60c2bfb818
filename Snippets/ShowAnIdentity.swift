// A server that demands a certificate of the app: one from a file, or one for a key that never leaves the device.
import Foundation
import Pavise

let security = try AppSecurity(identifier: "org.example.diary")

// From a file that the organisation hands out.
let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "work.p12")))
let passphrase = SecretBytes(utf8: readLine() ?? "")
let imported = try security.importIdentity(file, passphrase: passphrase, as: "work")
print(imported.subject ?? "", imported.validity.map { "\($0.upperBound)" } ?? "")

// Or: a key in the device's secure element, and the organisation's answer to its request.
print(try security.requestIdentity("device", subject: "Ada's phone"))
let answer = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "device.pem")))
_ = try security.completeIdentity("device", with: answer)

// Named when the account is made; shown to its server and authority alone, when they ask.
let server = try await security.review("https://cloud.example.org")
var options = SignInOptions()
options.identity = "device"
let account = try await security.connect(server, as: "work", clientID: "diary", options: options)
print(account.name)

// At each start: a new key and certificate when two thirds of the present one's life are over.
let renewed = try await security.renewIdentity("device") { request in
    print("Send this to the organisation:", request)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "device.pem")))
}
print(renewed.isDue())
