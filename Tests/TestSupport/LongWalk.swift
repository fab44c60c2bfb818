internal import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
    /// A test that takes seconds: a walk over every step, a load, thousands of mutations, an answer that is waited for.
    ///
    /// `make check` and `swift test` run it; `make test` sets `PAVISE_QUICK` and says how many of them it left out.
    public static var long: Self {
        .enabled(if: ProcessInfo.processInfo.environment["PAVISE_QUICK"] == nil, "long: part of make check")
    }
}
