import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseStorage
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

@testable import Pavise

/// Whether the connections of a home need their lock: only certainty says that they do not (AL8, RV-H4).
@Suite struct NeedOfLockTests {
    private let folder: TemporaryFolder
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    init() throws { folder = try TemporaryFolder() }

    private func inHome<Value>(_ lock: LockSwitch = LockSwitch(), _ body: () throws -> Value) rethrows -> Value {
        var environment = SecurityEnvironment(home: home, accessGroups: ["org.example.test"], lock: lock)
        environment.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    private var need: LockNeed { AppLock.needOfLock(in: home)() }

    private func add() throws -> ConnectionID {
        let origin = Origin(scheme: .https, host: "cloud.example", port: 443)
        return try Connections(home: home).add("work", origin: origin).descriptor.id
    }

    @Test func `nothing needs a lock where nothing is, and a packet in a lock's box does`() throws {
        try inHome {
            #expect(need == .none)
            let id = try add()
            try KeychainStore().replace([2, 1, 1].span, as: .session(of: id))
            #expect(need == .none)
            try KeychainStore().replace([0x4C, 1, 1].span, as: .session(of: id))
            #expect(need == .needed)
            try KeychainStore().delete(.session(of: id))
            #expect(need == .none)
            try EnclaveKey(tag: id.guardedTag).prepare()
            #expect(need == .needed)
        }
    }

    @Test func `a keychain that does not answer is not one that needs no lock, and the app stays closed`() throws {
        let device = LockSwitch()
        try inHome(device) {
            let id = try add()
            try KeychainStore().replace([0x4C, 1, 1].span, as: .session(of: id))
            device.state = .beforeFirstUnlock
            #expect(need == .unknown(.storeLocked))
            device.state = .unlocked
            #expect(need == .needed)
        }
        try DurableFile.write([UInt8](repeating: 7, count: 8_192).span, to: home.keychain + "/items.db")
        inHome {
            guard case .unknown(.unavailable(let words)) = need else {
                Issue.record("\(need)")
                return
            }
            #expect(!words.isEmpty)
        }
    }

    @Test func `a list that cannot be read is not one without connections`() throws {
        try inHome {
            _ = try add()
            #expect(unsafe chmod(home.connections, 0o755) == 0)
            guard case .unknown(.unavailable(let words)) = need else {
                Issue.record("\(need)")
                return
            }
            #expect(words.hasSuffix("."))
        }
    }
}
