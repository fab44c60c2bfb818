// A PIN from an app's own keypad: digits that are never a text, and are overwritten when they were used.
import Pavise
import PaviseValidation

let security = try AppSecurity(identifier: "org.example.diary")
let typed = TypedPIN()

// What the keys of the keypad do.
typed.append(7)
typed.append(3)
typed.removeLast()
print("\(typed.count) of \(typed.limit) digits")

if let pin = typed.take() { try await security.lock.unlock(pin) }
