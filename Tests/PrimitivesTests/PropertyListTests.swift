import Foundation
import PavisePrimitives
import Testing

@Suite struct `Property lists` {
    private func xml(_ body: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(body)
            </plist>
            """.utf8)
    }

    @Test func `of each type are read with their lines`() throws {
        let list = try PropertyListValue.parse(
            xml(
                """
                <dict>
                  <key>text</key> <string>a &amp; b &#x41;<![CDATA[<c>]]></string>
                  <!-- a comment -->
                  <key>yes</key> <true/>
                  <key>no</key> <false></false>
                  <key>one</key>
                  <integer> 1 </integer>
                  <key>hex</key> <integer>-0x10</integer>
                  <key>huge</key> <integer>18446744073709551615</integer>
                  <key>half</key> <real>0.5</real>
                  <key>bytes</key> <data> AAEC
                    /w== </data>
                  <key>many</key> <array><string/><dict/></array>
                  <key>noted</key> <string>one<!-- > -- < -->, two<!---->, three</string>
                </dict>
                """))
        #expect(list["noted"]?.string == "one, two, three")
        #expect(list["text"]?.string == "a & b A<c>")
        #expect(list.member("text")?.line == 5)
        #expect(list["yes"]?.kind == .bool(true))
        #expect(list["no"]?.kind == .bool(false))
        #expect(list["one"]?.kind == .integer(1))
        #expect(list["one"]?.line == 10)
        #expect(list.member("one")?.line == 9)
        #expect(list["hex"]?.kind == .integer(-16))
        #expect(list["huge"]?.kind == .real(18_446_744_073_709_551_616))
        #expect(list["half"]?.kind == .real(0.5))
        #expect(list["bytes"]?.kind == .data([0, 1, 2, 255]))
        #expect(list["many"]?.array?.map(\.typeName) == ["string", "dictionary"])
        #expect(list["absent"] == nil)
    }

    @Test func `in UTF-16 and without the outer element are read too`() throws {
        #expect(try PropertyListValue.parse(Array("<dict><key>a</key><true/></dict>".utf8))["a"]?.truth == true)
        let text = String(decoding: xml("<string>é</string>"), as: UTF8.self)
        let little: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(try PropertyListValue.parse(little).string == "é")
        #expect(try PropertyListValue.parse(big).string == "é")
    }

    @Test(arguments: [
        "<dict><key>a</key></dict>", "<dict><true/></dict>", "<dict>", "<string>a", "<string>a</dict>",
        "<integer>x</integer>",
        "<integer>0x</integer>", "<integer>+-1</integer>", "<real>abc</real>", "<data>A</data>", "<true>a</true>",
        "<tru/>",
        "<string>&unknown;</string>", "<string>&#0;</string>", "<string>&#xD800;</string>", "<string>&amp</string>",
        "<string/><string/>", "", "<array><!-- </array>", "<string a=\"<", "< string/>",
    ])
    func `that are damaged are refused with a line`(_ body: String) {
        #expect(throws: PropertyListFailure.self) { try PropertyListValue.parse(xml(body)) }
    }

    @Test func `cannot declare entities`() {
        let text = "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>"
        #expect(throws: PropertyListFailure.unsupported("a document type with declarations", line: 1)) {
            try PropertyListValue.parse(Array(text.utf8))
        }
    }

    @Test(arguments: ["", "hello", "{ a = b; }", "bplist", "<html></html>"])
    func `of another format are refused`(_ text: String) {
        #expect(throws: PropertyListFailure.unknownFormat) { try PropertyListValue.parse(Array(text.utf8)) }
    }

    @Test func `deeper, larger or fuller than the limits are refused`() throws {
        var limits = PropertyListLimits()
        limits.depth = 4
        let deep = xml(String(repeating: "<array>", count: 4) + String(repeating: "</array>", count: 4))
        #expect(try PropertyListValue.parse(deep, limits: limits).array?.count == 1)
        limits.depth = 3
        #expect(throws: PropertyListFailure.tooDeep(limit: 3)) { try PropertyListValue.parse(deep, limits: limits) }
        limits.bytes = deep.count - 1
        #expect(throws: PropertyListFailure.tooLarge(limit: deep.count - 1)) {
            try PropertyListValue.parse(deep, limits: limits)
        }
        limits = PropertyListLimits()
        limits.values = 3
        #expect(throws: PropertyListFailure.tooMany(limit: 3)) {
            try PropertyListValue.parse(xml("<array><true/><true/><true/></array>"), limits: limits)
        }
    }

    @Test func `in binary form say what Foundation wrote`() throws {
        let value: [String: Any] = [
            "text": "plain", "wide": "ä→𝄞", "yes": true, "no": false, "one": 1, "negative": -5, "large": Int64.max,
            "half": 0.5,
            "bytes": Data([1, 2, 3]), "many": (0..<20).map { "item \($0)" }, "inner": ["a": ["b": "c"]],
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        let list = try PropertyListValue.parse(Array(bytes))
        #expect(list["text"]?.string == "plain")
        #expect(list["wide"]?.string == "ä→𝄞")
        #expect(list["yes"]?.kind == .bool(true))
        #expect(list["no"]?.kind == .bool(false))
        #expect(list["one"]?.kind == .integer(1))
        #expect(list["negative"]?.kind == .integer(-5))
        #expect(list["large"]?.kind == .integer(.max))
        #expect(list["half"]?.kind == .real(0.5))
        #expect(list["bytes"]?.kind == .data([1, 2, 3]))
        #expect(list["many"]?.array?.count == 20)
        #expect(list["many"]?.array?.last?.string == "item 19")
        #expect(list["inner"]?["a"]?["b"]?.string == "c")
    }

    @Test func `in binary form that are cut are refused, and changed ones are refused or say something else`() throws {
        let value: [String: Any] = [
            "a": ["b": [1, 2.5, true, "ä", Data([1])]], "c": String(repeating: "x", count: 40),
        ]
        let bytes = Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
        let whole = try PropertyListValue.parse(bytes)
        for count in 0..<bytes.count {
            #expect(throws: PropertyListFailure.self) { try PropertyListValue.parse(Array(bytes.prefix(count))) }
        }
        // Not read: the second digit of the format's version, and the trailer's first six bytes.
        let unread = [7] + Array(bytes.count - 32..<bytes.count - 26)
        var (refused, others) = (0, 0)
        for index in bytes.indices {
            for change in [UInt8(0), 1, 0x0F, 0x80, 0xA0, 0xD0, 0xFF] where bytes[index] != change {
                var copy = bytes
                copy[index] = change
                do throws(PropertyListFailure) {
                    let read = try PropertyListValue.parse(copy)
                    others += 1
                    #expect(read != whole || unread.contains(index), "byte \(index) as \(change)")
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > 100 && others > 100)
    }

    // Object 0 is an array of 15 references to object 1, which is one of 15 to object 2, …: 15¹⁰ values in 200 bytes.
    @Test func `in binary form cannot multiply or contain themselves`() {
        func list(last: UInt8) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for level in 0..<UInt8(10) {
                offsets.append(UInt8(bytes.count))
                bytes += [0xAE] + [UInt8](repeating: level == 9 ? last : level + 1, count: 14)
            }
            offsets.append(UInt8(bytes.count))
            bytes.append(0x09)
            let table = bytes.count
            return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 11]
                + [UInt8](repeating: 0, count: 8)
                + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
        }
        var limits = PropertyListLimits()
        limits.values = 1000
        #expect(throws: PropertyListFailure.tooMany(limit: 1000)) {
            try PropertyListValue.parse(list(last: 10), limits: limits)
        }
        #expect(throws: PropertyListFailure.tooDeep(limit: 64)) { try PropertyListValue.parse(list(last: 0)) }
    }

    // Object 0 is an array of 1,001 references to itself.
    @Test(arguments: [(UInt8(0xAF), 1001), (0xDF, 501)])
    func `in binary form with more references than values are refused before these are read`(
        _ marker: UInt8, _ count: Int
    ) {
        let head = Array("bplist00".utf8) + [marker, 0x11, UInt8(count >> 8), UInt8(count & 255)]
        let object = head + [UInt8](repeating: 0, count: marker == 0xDF ? 2 * count : count)
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
            + [0, 0, 0, 0, 0, 0, UInt8(object.count >> 8), UInt8(object.count & 255)]
        var limits = PropertyListLimits()
        limits.values = 1000
        #expect(throws: PropertyListFailure.tooMany(limit: 1000)) {
            try PropertyListValue.parse(object + [8] + trailer, limits: limits)
        }
    }

    @Test(
        arguments: [
            (PropertyListValue.Kind.bool(true), true), (.bool(false), false), (.integer(1), true), (.integer(2), false),
            (.integer(0), false), (.integer(-1), false), (.real(1), true), (.real(0.5), false), (.string("YES"), nil),
            (.string("true"), nil), (.data([1]), nil), (.array([]), nil), (.other, nil),
        ] as [(PropertyListValue.Kind, Bool?)])
    func `have truth only in number objects that equal true`(_ kind: PropertyListValue.Kind, _ truth: Bool?) {
        #expect(PropertyListValue(kind).truth == truth)
    }
}
