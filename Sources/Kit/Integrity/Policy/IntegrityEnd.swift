internal import PavisePrimitives

extension IntegrityVerdict {
    /// The status of a program that a rule ended.
    public static var endStatus: Int32 { 3 }

    /// Ends the process as ``IntegrityAction/end`` wants it: at once, without what libraries do at an exit, with the
    /// status 3.
    ///
    /// On iOS show the reason for a moment before: to a person, and to App Review, an app that ends looks like one
    /// that crashed.
    ///
    /// - Parameters:
    ///   - note: Writes the event where the app keeps such: rules alone, no content.
    ///   - wipe: Wipes living secrets and closes the lock. It runs before anything else.
    public func end(wipe: () -> Void, note: (String) -> Void) -> Never {
        wipe()
        note(sentence)
        CurrentExecutable.end(Self.endStatus)
    }
}
