import Foundation
import SecurityFramework
import Testing

@Suite struct `Access control` {
    static let good: [SecAccessControlCreateFlags] = [
        [], .userPresence, [.userPresence, .privateKeyUsage], [.userPresence, .applicationPassword],
        [.biometryAny, .devicePasscode, .or], [.biometryCurrentSet, .devicePasscode, .and], [.biometryAny, .watch],
        .privateKeyUsage,
    ]
    static let bad: [SecAccessControlCreateFlags] = [
        [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .devicePasscode],
        [.userPresence, .biometryAny, .or], [.userPresence, .or], SecAccessControlCreateFlags(rawValue: 1 << 20),
    ]

    private static func make(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) -> (SecAccessControl?, Int)
    {
        var failure: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, protection, flags, &failure)
        return (control, unsafe failure?.takeRetainedValue().code ?? 0)
    }

    @Test(arguments: good)
    func `flags that fit each other make one`(_ flags: SecAccessControlCreateFlags) throws {
        let control = try #require(Self.make(kSecAttrAccessibleWhenUnlocked, flags).0)
        #expect(control == Self.make(kSecAttrAccessibleWhenUnlocked, flags).0)
        #expect(control != Self.make(kSecAttrAccessibleAfterFirstUnlock, flags).0)
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    }

    @Test(arguments: bad)
    func `flags that contradict each other are refused`(_ flags: SecAccessControlCreateFlags) {
        let (control, code) = Self.make(kSecAttrAccessibleWhenUnlocked, flags)
        #expect(control == nil && code == -50)
    }

    @Test func `an unknown class is refused`() {
        for protection in ["" as NSString, "xx" as NSString, 5 as NSNumber] as [CFTypeRef] {
            let (control, code) = Self.make(protection, [])
            #expect(control == nil && code == -50)
        }
    }
}
