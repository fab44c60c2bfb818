// Lets the app lock and the sessions follow the life of the app, and looks whether the app's pins are those of its
// Info.plist.
import Pavise
import PaviseAppLock
import PaviseManaged
import PaviseTransport

// Where an administrator's rules come by a channel that has to be waited for.
await ManagedFile.current.ready()

let lock = AppLock { _ in print("wipe what is kept beside the lock") }
let connections = Connections(lock: lock)

// Keep it as long as the app runs. On Linux an app reports what its toolkit and its session tell it.
let lifecycle = AppLifecycle(lock: lock, connections: connections) { isCovered in
    print(isCovered ? "cover the screen" : "show it")
}
for problem in lifecycle.deafness { print(problem) }
lifecycle.report(.willResignActive(of: "window"))

// After a right PIN: a finger or a face, where the system has one.
let biometrics = SystemBiometrics()
lock.follow(biometrics)
print(biometrics.obstacle ?? "Biometrics can be asked.")

// In a test of the app: one list of pins, said twice.
let pins: [PinSet] = []
for finding in try InfoPropertyList.pinDisagreements(with: pins) { print(finding) }
