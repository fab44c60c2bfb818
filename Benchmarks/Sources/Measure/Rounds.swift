internal import Foundation

/// Two ways to do the same work, measured in turns, so that what slows the machine slows both.
struct Rounds {
    var ours: [Double] = []
    var peer: [Double] = []

    /// Microseconds of one operation: medians over the rounds.
    var figures: (ours: Double, peer: Double, ratio: Double) {
        (median(ours), median(peer), median(zip(ours, peer).map { $0 / $1 }))
    }

    /// Measures `count` rounds of `batch` operations each; every other round begins with the peer.
    init(_ count: Int, batch: Int, ours: () throws -> Void, peer: () throws -> Void) rethrows {
        for round in 0..<count {
            if round % 2 == 0 { self.ours.append(try microseconds(batch, ours)) }
            self.peer.append(try microseconds(batch, peer))
            if round % 2 == 1 { self.ours.append(try microseconds(batch, ours)) }
        }
    }

    /// The figures under three names for the line of JSON.
    func report(_ name: String) -> [(String, String)] {
        [(name, "\(figures.ours)"), ("\(name)Peer", "\(figures.peer)"), ("\(name)Ratio", "\(figures.ratio)")]
    }
}

/// Microseconds of one of `batch` operations.
func microseconds(_ batch: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    for _ in 0..<batch { try body() }
    return (ContinuousClock.now - start) / .microseconds(1) / Double(batch)
}
