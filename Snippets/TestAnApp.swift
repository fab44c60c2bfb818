// What an app's own test looks like: a world with a server, a clock and a keychain, and what goes wrong in it by name.
#if os(Linux)
import Pavise
import PaviseTesting

struct Me: Decodable, Sendable { let user: String }

try await TestWorld.run { world in
    let account = try await world.signIn(world.app())
    try await world.during(.sessionEnded) {
        do throws(PaviseError) { print(try await account.get("/api/me", as: Me.self).user) } catch {
            print(error.recovery)
        }  // signIn
    }
    try await world.during(.beforeFirstUnlock) {
        do throws(PaviseError) { print(await (try world.app().account("work")).state) } catch {
            print(error.title)  // Device locked
        }
    }
}
#endif
