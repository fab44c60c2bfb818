import PaviseTransport
import TestSupport
import Testing

@testable import PaviseSync

@Suite struct ListingTests {
    private func read(_ text: String) throws -> [Multistatus.Member] { try Multistatus(Array(text.utf8)).members }

    @Test func `apache's listing: absolute paths, tags, properties that were not found`() throws {
        let members = try read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
            <D:response xmlns:lp1="DAV:"><D:href>/dav/</D:href><D:propstat><D:prop>
            <lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop>
            <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            </D:response>
            <D:response xmlns:lp1="DAV:"><D:href>/dav/a%20b.txt</D:href><D:propstat><D:prop><lp1:resourcetype/>
            <lp1:getcontentlength>5</lp1:getcontentlength><lp1:getetag>"5-61"</lp1:getetag></D:prop>
            <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            <D:propstat><D:prop><oc:id xmlns:oc="http://owncloud.org/ns">x</oc:id></D:prop>
            <D:status>HTTP/1.1 404 Not Found</D:status></D:propstat></D:response></D:multistatus>
            """)
        #expect(members.map(\.href) == ["/dav/", "/dav/a%20b.txt"])
        #expect(members.map(\.isCollection) == [true, false])
        #expect(members[1].etag == "\"5-61\"")
        #expect(members[1].length == 5)
        // A property of a propstat that failed is none.
        #expect(members[1].fileID == nil)
    }

    @Test(.long) func `SY18: a listing of 100,000 members is read whole, and one more is an error`() throws {
        let row = "<response><href>/dav/x</href></response>"
        let (head, tail) = (#"<multistatus xmlns="DAV:">"#, "</multistatus>")
        let all = String(repeating: row, count: Multistatus.memberLimit)
        #expect(try read(head + all + tail).count == 100_000)
        #expect(throws: SyncFailure.self) { try read(head + all + row + tail) }
    }

    @Test func `ownCloud's and Nextcloud's identifiers, another prefix, CDATA, references`() throws {
        let members = try read(
            """
            <multistatus xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><response>
            <href>/a&amp;b&#x21;<![CDATA[<c>]]></href>
            <propstat><prop><o:fileid>17</o:fileid><o:id>000017oc</o:id></prop>
            <status>HTTP/2 200</status></propstat></response>
            <response><href>/gone</href><status>HTTP/1.1 403 Forbidden</status></response></multistatus>
            """)
        #expect(members[0].href == "/a&b!<c>")
        #expect(members[0].fileID == "000017oc")
        #expect(members[1].failure == 403)
    }

    @Test(arguments: [
        "", "<", "<a/>", "<multistatus/>x", "<D:multistatus/>", #"<multistatus xmlns="DAV:">"#,
        #"<multistatus xmlns="DAV:"><response></multistatus>"#,
        #"<!DOCTYPE x [<!ENTITY a "b">]><multistatus xmlns="DAV:"/>"#,
        #"<!DOCTYPE multistatus SYSTEM "http://evil/x"><multistatus xmlns="DAV:"/>"#,
        #"<multistatus xmlns="DAV:"><response><href>&lol;</href></response></multistatus>"#,
        #"<multistatus xmlns="DAV:"><response><href>&#0;</href></response></multistatus>"#,
        #"<multistatus xmlns="DAV:"/><multistatus xmlns="DAV:"/>"#, "<multistatus xmlns='DAV:'>\u{0}<",
        "<multistatus xmlns='DAV:'>" + String(repeating: "<a>", count: 40),
    ])
    func `SY18: what is no whole listing is an error and never a shorter one`(_ text: String) {
        #expect(throws: SyncFailure.self) { try read(text) }
    }

    @Test func `SY18: elements nested deeper than the bound are an error`() {
        let text =
            "<multistatus xmlns='DAV:'>" + String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
        #expect(throws: SyncFailure.self) { try read(text + "</multistatus>") }
    }

    @Test(.long) func `SY18: more members than the bound are an error`() {
        let member = "<response><href>/a</href></response>"
        let text = "<multistatus xmlns='DAV:'>" + String(repeating: member, count: 100_001) + "</multistatus>"
        #expect(throws: SyncFailure.self) { try read(text) }
    }

    @Test(arguments: [
        "/dav/files/a", "/dav/files/a/", "https://cloud.example/dav/files/a", "/dav/%66iles/%61",
    ])
    func `an address below the folder is a path`(_ href: String) throws {
        let address = try RemoteAddress(WebURL("https://cloud.example/dav/files"))
        #expect(try address.path(of: href).map(\.text) == ["a"])
    }

    @Test(arguments: [
        "/dav/other/a", "/dav", "https://evil.example/dav/files/a", "http://cloud.example/dav/files/a",
        "//evil/dav/files/a",
        "/dav/files/..%2Fup", "/dav/files/%2e%2e", "/dav/files/../x", "/dav/files/a%00", "/dav/files/a%5Cb",
        "/dav/files/%ff",
        "/dav/files/%zz", "dav/files/a", "", "/dav/files/" + String(repeating: "x", count: 256),
    ])
    func `SY17, SY18: an address elsewhere, or with a part that is no name, stops the listing`(_ href: String) throws {
        let address = try RemoteAddress(WebURL("https://cloud.example/dav/files/"))
        #expect(throws: SyncFailure.self) { try address.path(of: href) }
    }

    @Test func `names travel through an address and back`() throws {
        let address = try RemoteAddress(WebURL("https://cloud.example/dav/"))
        for text in ["a b", "100%", "ü", "e\u{301}", "#?&", "a+b", ".hidden", String(repeating: "x", count: 255)] {
            let path = [try #require(SyncItemName(text))]
            #expect(try address.path(of: address.url(of: path).path) == path)
        }
    }

    @Test func `SY9: names of copies do not pile up and stay within the limit`() throws {
        let naming = ConflictNaming(milliseconds: 1_795_558_500_000, device: "my/laptop")
        let first = naming.name(for: try #require(SyncItemName("diary.tar.gz")))
        #expect(first.text == "diary.tar (conflict 2026-11-24 221500 mylaptop).gz")
        #expect(naming.name(for: first) == first)
        #expect(
            naming.name(for: try #require(SyncItemName(".profile"))).text
                == ".profile (conflict 2026-11-24 221500 mylaptop)")
        #expect(naming.name(for: try #require(SyncItemName(String(repeating: "ü", count: 127)))).text.utf8.count <= 255)
        #expect(ConflictNaming.isCopy(first))
    }

    // Letters that join with the blank or the parenthesis behind them.
    @Test(arguments: [
        ("a\u{600}.txt", "laptop"), ("a.txt", "d\u{600}"), ("\u{1F469}\u{200D}", "\u{1F3FD}"), (".x", ""),
    ])
    func `SY9: whatever letters a name and a device have, a copy is known as one, and names do not pile up`(
        _ text: String, _ device: String
    ) throws {
        let naming = ConflictNaming(milliseconds: 1_900_000_000_000, device: device)
        let copy = naming.name(for: try #require(SyncItemName(text)))
        #expect(ConflictNaming.isCopy(copy) && SyncItemName(copy.text) == copy)
        #expect(naming.name(for: copy) == copy)
    }
}
