import Foundation
import PavisePrimitives
import Testing

@testable import PaviseDevice

#if canImport(Glibc)
import Glibc
#endif

/// The turn at a TPM without a resource manager: who keeps it is told (RV-L8).
@Suite struct TPMTurnTests {
    let address: TPMAddress
    // Of this test alone: tests run side by side.
    init() throws { address = try #require(TPMAddress("swtpm:host=\(UUID().uuidString)")) }

    static func refusal(_ address: TPMAddress) -> TPMFailure.Kind? {
        do throws(TPMFailure) { _ = try TPMTurn(at: address, patience: .zero) } catch { return error.kind }
        return nil
    }

    @Test func `a turn of this user is busy, and free when it ends`() throws {
        let turn = try TPMTurn(at: address)
        #expect(Self.refusal(address) == .busy)
        _ = consume turn
        #expect(Self.refusal(address) == nil)
    }

    @Test func `what holds the name and is no turn is not “busy”`() throws {
        let number = try #require(Self.squat("\0" + TPMTurn.name(address)))
        #expect(Self.refusal(address) == .turnTaken)
        _ = close(number)
        #expect(Self.refusal(address) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "needs the rights to become another user"))
    func `a turn of another user is told as one`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard let address = TPMAddress("swtpm:host=\(UUID().uuidString)") else { exit(1) }
            guard seteuid(65_534) == 0 else { exit(2) }
            let turn = try TPMTurn(at: address)
            guard seteuid(0) == 0 else { exit(4) }
            let kind = TPMTurnTests.refusal(address)
            _ = consume turn
            exit(kind == .turnTaken ? 7 : 5)
        }
    }

    @Test func `the explanation says what to do`() {
        #expect(TPMFailure(.turnTaken).explanation.contains("resource manager"))
    }

    // Holds a name of the abstract namespace as another program would.
    private static func squat(_ name: String) -> Int32? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
        }
        return status == 0 ? number : nil
    }
}
