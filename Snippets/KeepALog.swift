// A log whose values are private, and a trail for whoever asks later.
import Pavise
import PaviseLog
import PaviseTransport

let log = Log(subsystem: "org.example.diary", category: "sync")
let title = "A hard night", email = "jane@example.org", status = 503

// upload of «private» failed: status 503
log.error("upload of \(title) failed: status \(public: status)")

// Of a request the origin, a template of the path, and fields that say nothing about a person.
var request = HTTPRequest("GET", try WebURL("https://cloud.example.org/users/17"))
request.fields.append("Accept", "application/json")
let exchange = LoggedExchange(request, path: "/users/{id}", status: 503)
// failed: GET https://cloud.example.org/users/{id} 503 accept=application/json
log.error("failed: \(public: exchange)")

// The same eight digits for the same person, here and on no other device.
let output = LogOutput(sinks: [SystemLog()], key: try .ofInstallation())
Log(subsystem: "org.example.diary", category: "account", output: output).error("answer for \(hashed: email)")

// What other code wrote is masked by its form.
print(Masker().masked("GET /cb?code=SplxlOBeZQQYbYS6WxSbIA by jane@example.org"))
