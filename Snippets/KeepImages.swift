// Keep a server's images for some days, sealed, and its harmless answers in memory.
import PaviseProtectedStorage
import PaviseStorage

let container = try ProtectedContainer.open("sleep-diary")
let images = try ImageCache.open(in: container, protection: .complete, byteLimit: 20 << 20)
let address = "https://diary.example/avatar.png"
if let known = try images.image(for: address, user: "alice") {
    print("\(known.count) bytes, not fetched again")
} else {
    try images.keep([0x89, 0x50, 0x4e, 0x47], for: address, user: "alice")
}

// One call empties all of them: at the app's lock, under memory pressure, at sign-out.
let caches = CacheGroup()
caches.add(images)
caches.add(MemoryCache<String, Int>(countLimit: 100))
caches.empty()
try container.remove()
