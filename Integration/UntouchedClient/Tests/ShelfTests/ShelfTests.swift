import XCTest

import Names
@testable import Shelf

final class ShelfTests: XCTestCase {
    let shelf = Shelf(service: "org.example.shelf")

    override func setUp() {
        super.setUp()
        shelf.clear()
    }

    override func tearDown() {
        shelf.clear()
        super.tearDown()
    }

    func testATextGoesInAndComesOut() {
        XCTAssertTrue(shelf.set("hello :)", for: "greeting"))
        XCTAssertEqual(shelf.string(for: "greeting"), "hello :)")
        XCTAssertEqual(shelf.data(for: "greeting"), Data("hello :)".utf8))
    }

    func testASecondTextReplacesTheFirst() {
        shelf["greeting"] = "one"
        shelf["greeting"] = "two"
        XCTAssertEqual(shelf["greeting"], "two")
        XCTAssertEqual(shelf.names, ["greeting"])
    }

    func testAnAbsentNameIsNilAndSaysWhy() {
        XCTAssertNil(shelf.string(for: "nobody"))
        XCTAssertEqual(shelf.lastStatus, errSecItemNotFound)
        XCTAssertFalse(shelf.remove("nobody"))
    }

    func testTheProtectionComesBack() throws {
        for protection in ShelfProtection.allCases {
            XCTAssertTrue(shelf.set("x", for: "protected", protection: protection))
            let attributes = try shelf.attributes(of: "protected")
            XCTAssertEqual(attributes[kSecAttrAccessible] as? String, protection.code as String)
            XCTAssertEqual(ShelfProtection(rawValue: attributes[kSecAttrAccessible] as! String), protection)
            XCTAssertEqual(ShelfProtection(code: protection.code), protection)
        }
    }

    func testAPersistentReferenceIsData() {
        shelf.set("x", for: "one")
        XCTAssertEqual(shelf.data(for: "one", asReference: true)?.count, 20)
    }

    func testUpdatesAndErrors() throws {
        shelf.set("x", for: "one")
        try shelf.update(Data([0, 1, 2]), for: "one")
        XCTAssertEqual(shelf.data(for: "one"), Data([0, 1, 2]))
        XCTAssertThrowsError(try shelf.update(Data(), for: "two")) { error in
            XCTAssertEqual((error as? ShelfError)?.status, errSecItemNotFound)
            XCTAssertTrue((error as? ShelfError)?.isMissing == true)
            XCTAssertFalse(error.localizedDescription.isEmpty)
        }
    }

    func testADuplicateIsRefused() {
        shelf.set("x", for: "one")
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "org.example.shelf", kSecAttrAccount: "one",
            kSecValueData: Data("y".utf8),
        ]
        XCTAssertEqual(SecItemAdd(query as CFDictionary, nil), errSecDuplicateItem)
        XCTAssertEqual(SecItemAdd([kSecValueData: Data()] as [NSString: AnyObject] as CFDictionary, nil), errSecParam)
    }

    func testASynchronizableItemIsAnother() {
        shelf.set("local", for: "one")
        let other = Shelf(service: "org.example.shelf")
        other.synchronizable = true
        XCTAssertNil(other.string(for: "one"))
        other.set("cloud", for: "one")
        XCTAssertEqual(other.string(for: "one"), "cloud")
        XCTAssertEqual(shelf.string(for: "one"), "local")
        other.clear()
        XCTAssertEqual(shelf.string(for: "one"), "local")
    }

    func testTheBranchOfMacOSClearsTheShelf() {
        for name in ["one", "two"] { shelf[name] = "x" }
        XCTAssertTrue(shelf.clearAll(), "\(shelf.lastStatus)")
        XCTAssertEqual(shelf.names, [])
    }

    func testAnItemOfThisDeviceMayBeSynchronizable() throws {
        shelf.synchronizable = true
        XCTAssertTrue(shelf.set("x", for: "bound", protection: .whenUnlockedThisDeviceOnly), "\(shelf.lastStatus)")
        XCTAssertEqual(shelf["bound"], "x")
        XCTAssertTrue(shelf.remove("bound"))
    }

    func testManyThreadsAtOnce() {
        DispatchQueue.concurrentPerform(iterations: 32) { number in
            shelf.set("value \(number)", for: "name \(number)")
        }
        XCTAssertEqual(Set(shelf.names).count, 32)
    }

    func testEveryStatusHasAMessage() {
        XCTAssertEqual(Set(statuses).count, 381)
        for status in statuses {
            XCTAssertNotNil(SecCopyErrorMessageString(status, nil), "\(status)")
        }
    }

    func testEveryConstantIsDistinctWhereItMustBe() {
        XCTAssertGreaterThan(Set(constants.map { $0 as String }).count, 100)
        XCTAssertEqual(Set(algorithms.map(\.rawValue)).count, algorithms.count)
        XCTAssertEqual(kSecClassGenericPassword as String, "genp")
    }
}
