// A PIN from an app's own keypad: digits that are never a text, and are overwritten when they were used.
import Pavise
import PaviseValidation

let security = try AppSecurity(identifier: "org.example.diary")

// A key of the keypad appends, and the person's Enter takes.
let typed = TypedPIN()
typed.append(7)
if let pin = typed.take() { try await security.lock.unlock(pin) }

// All that a screen may show.
print("\(typed.count) digits")
