internal import PaviseIntegrity
internal import PaviseManaged
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

/// What an administrator's rules mean for a connection that is open (connections C19, C32, C35). Pure.
enum ManagedStanding: Hashable, Sendable {
    /// It may go on, by these rules.
    case usable(ManagedTrust, RefreshPolicy)
    /// It sends nothing; in words. Its data and its tokens stay.
    case stopped(String)
}

extension Connections {
    /// Decides about one open connection.
    ///
    /// - Parameter rules: What reading them gave: none, some, or a failure. Without rules that can be read nothing is
    ///   sent.
    func standing(
        of descriptor: ConnectionDescriptor, under rules: Result<ManagedConfiguration?, ManagedFile.Failure>
    ) -> ManagedStanding {
        let configuration: ManagedConfiguration?
        switch rules {
        case .success(let found): configuration = found
        case .failure(let failure): return .stopped(failure.description)
        }
        if let least = configuration?.device.refusal(of: BuildFacts.version) {
            return .stopped("The administrator does not permit a Pavise before \(least).")
        }
        do throws(ConnectionFailure) { _ = try method(of: descriptor, configuration) } catch {
            return .stopped(
                "The administrator's rules do not allow to sign in with “\(descriptor.method)” here any more.")
        }
        return .usable(configuration?.trust ?? ManagedTrust(), policy.tightened(by: configuration?.session))
    }
}
