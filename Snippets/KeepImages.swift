// Keep a server's images for some days, sealed, and its harmless answers in memory.
import PaviseProtectedStorage
import PaviseStorage

let container = try ProtectedContainer.open("sleep-diary")

/// Words that everybody may read.
struct Glossary: Decodable, CacheableResponse { let words: [String] }

let images = try ImageCache.open(in: container, protection: .complete, byteLimit: 20 << 20)
let address = "https://diary.example/avatar.png"
if let known = try images.image(for: address, user: "alice") {
    print("\(known.count) bytes, not fetched again")
} else {
    try images.keep([0x89, 0x50, 0x4e, 0x47], for: address, user: "alice")
}

let hours = MemoryCache<String, Int>(countLimit: 100)
hours.set(7, for: "2026-11-24")
let known = hours.value(for: "2026-11-24")
print(known ?? 0)

let caches = CacheGroup()
caches.add(images)
caches.add(hours)
try caches.followMemoryPressure()
// At the app's lock, and at sign-out:
caches.empty()
try container.remove()
