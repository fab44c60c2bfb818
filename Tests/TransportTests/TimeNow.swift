import PavisePrimitives

/// The machine's clock, for certificates that the lab issues around now.
enum TimeNow {
    static var seconds: Int64 { TimeSource.system.wallSeconds }
}
