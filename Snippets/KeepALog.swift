// A log whose values are private, and a trail for whoever asks later.
import Pavise
import PaviseLog

let log = Log(subsystem: "org.example.diary", category: "sync")
let title = "A hard night", email = "jane@example.org", status = 503

// upload of «private» failed: status 503
log.error("upload of \(title) failed: status \(public: status)")

// The same eight digits for the same person, here and on no other device.
let output = LogOutput(sinks: [SystemLog()], key: try? .ofInstallation())
Log(subsystem: "org.example.diary", category: "account", output: output).error("answer for \(hashed: email)")

// What other code wrote is masked by its form.
print(Masker().masked("GET /cb?code=SplxlOBeZQQYbYS6WxSbIA by jane@example.org"))
