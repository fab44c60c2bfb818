/// Who this program is for its keychain, in a form for the Kit.
package enum ProgramBridge {
    /// The name under which it stores items: its own access group, which no other program of a good will has.
    package static var identifier: String {
        SecurityEnvironment.override?.accessGroups.first ?? ApplicationIdentity.current.identifier
    }
}
