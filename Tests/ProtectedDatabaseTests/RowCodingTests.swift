import Foundation
import PaviseProtectedStorage
import PaviseStorage
import Testing

@Suite struct RowCodingTests {
    let fixture: DatabaseFixture
    init() throws { fixture = try DatabaseFixture() }

    @Test func `values that are one value in JSON come back equal`() throws {
        let database = try open()
        let item = Item(
            address: try #require(URL(string: "https://diary.example/a%20b?c=d")), price: Decimal(string: "1.5") ?? 0,
            amount: 2, size: .max, weight: Weight(kilograms: 71.5), level: .high)
        try database.write { try $0.insert(item, into: "item") }
        #expect(try database.read { try $0.rows("SELECT * FROM item", as: Item.self) } == [item])
    }

    @Test(arguments: ["size", "small", "short"])
    func `a number of another type is an error and no crash`(_ column: String) throws {
        let database = try open()
        try database.write { try $0.run("INSERT INTO item(size, small, short) VALUES (-1, 'text', NULL)") }
        let row = try #require(try database.read { try $0.first("SELECT size, small, short FROM item") })
        #expect(throws: ProtectedDatabaseError.column(column)) {
            switch column {
            case "size": _ = try row.decode(Size.self)
            case "small": _ = try row.decode(Small.self)
            default: _ = try row.decode(Short.self)
            }
        }
    }

    @Test func `text that is no such value stays an error`() throws {
        let database = try open()
        try database.write { try $0.run("INSERT INTO item(level, weight) VALUES ('3.25', 'seventy')") }
        let row = try #require(try database.read { try $0.first("SELECT level, weight FROM item") })
        #expect(throws: ProtectedDatabaseError.column("level")) { try row.decode(Leveled.self) }
        #expect(throws: ProtectedDatabaseError.column("weight")) { try row.decode(Weighed.self) }
    }

    private func open() throws -> ProtectedDatabase {
        try fixture.open(
            .complete,
            [
                DatabaseMigration(
                    1, "items", "CREATE TABLE item(address, price NUMERIC, amount, size, weight, level, small, short)")
            ])
    }
}

private struct Item: Codable, Equatable, Sendable {
    var address: URL
    var price: Decimal
    var amount: Decimal
    var size: UInt64
    var weight: Weight
    var level: Level
}

private enum Level: Double, Codable, Sendable { case low = 0, high = 2.5 }

private struct Weight: Codable, Equatable, Sendable {
    var kilograms: Double

    init(kilograms: Double) { self.kilograms = kilograms }

    init(from decoder: any Decoder) throws {
        kilograms = try decoder.singleValueContainer().decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(kilograms)
    }
}

private struct Size: Decodable { let size: UInt64 }
private struct Small: Decodable { let small: UInt }
private struct Short: Decodable { let short: Float }
private struct Leveled: Decodable { let level: Level }
private struct Weighed: Decodable { let weight: Weight }
