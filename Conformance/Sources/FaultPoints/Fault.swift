internal import CFaults
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

/// What happens at a call.
public enum Fault: String, CaseIterable, Sendable {
    case none
    /// The process is killed in front of the call.
    case kill
    /// Half of a write happens, then the process is killed.
    case torn
    /// Half of a write happens, and the call says so: the other half has to follow.
    case short
    /// The power fails in front of the call: of what was not synced, nothing is left.
    case power
    /// The disk is full for this one call, or from this call on.
    case full, staysFull
    /// The disk fails at this one call, reads included, or from this call on.
    case broken, staysBroken
    /// The same with a store that is open already.
    case fullWarm, brokenWarm

    var kind: faults_kind {
        switch self {
        case .none: FAULTS_COUNT
        case .kill, .power: FAULTS_KILL
        case .torn: FAULTS_TORN
        case .short: FAULTS_SHORT
        default: FAULTS_ERROR
        }
    }

    /// The error number that the call gives; 0 for a fault that kills.
    public var error: Int32 {
        switch self {
        case .none, .kill, .torn, .power, .short: 0
        case .full, .staysFull, .fullWarm: ENOSPC
        case .broken, .staysBroken, .brokenWarm: EIO
        }
    }

    /// Whether every later call meets it too.
    public var isLasting: Bool { self == .staysFull || self == .staysBroken }
    var isWarm: Bool { self == .fullWarm || self == .brokenWarm }
    var countsReads: Bool { error == EIO }
    /// Whether all calls that change something count, so that one count holds for all such faults.
    var countsChanges: Bool { error == 0 && self != .short }
}
