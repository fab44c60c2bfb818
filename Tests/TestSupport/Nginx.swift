#if os(Linux)
internal import Foundation
internal import Glibc
internal import PavisePrimitives
internal import Synchronization

/// A real HTTP/2 server, started on loopback where nginx is installed. It ends with the last reference to it.
public final class Nginx: Sendable {
    /// Where it is; `nil` when it is not installed.
    public static let path = ["/usr/sbin/nginx", "/usr/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let process: Mutex<Process>
    private let said = Monitor("")
    private let folder: TemporaryFolder

    /// Starts one.
    ///
    /// - Parameters:
    ///   - chain: Its certificates, PEM.
    ///   - key: Its key, PEM.
    ///   - body: What `/large` answers.
    public init(chain: String, key: String, body: [UInt8] = []) throws {
        folder = try TemporaryFolder()
        let place = folder.path
        // The kernel chooses a free port; nginx takes it over a moment later.
        port = try TCPListener.listen().port
        try chain.write(toFile: place + "/server.pem", atomically: false, encoding: .utf8)
        try key.write(toFile: place + "/server.key", atomically: false, encoding: .utf8)
        try Data(body).write(to: URL(fileURLWithPath: place + "/large"))
        try Self.configuration(place, port).write(toFile: place + "/nginx.conf", atomically: false, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path ?? "")
        process.arguments = ["-p", place, "-c", place + "/nginx.conf"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let messages = Pipe()
        process.standardError = messages
        try process.run()
        self.process = Mutex(process)
        let handle = messages.fileHandleForReading
        try WorkerThread.start { [said] in
            while case let more = handle.availableData, !more.isEmpty {
                said.change { $0 += String(decoding: more, as: UTF8.self) }
            }
        }
    }

    private static func configuration(_ place: String, _ port: UInt16) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(place)/\($0);" }
        return """
            daemon off; master_process off; pid \(place)/pid; error_log stderr notice;
            events { worker_connections 256; }
            http {
              access_log \(place)/requests; root \(place); \(temporary.joined(separator: " "))
              server {
                listen 127.0.0.1:\(port) ssl http2; ssl_protocols TLSv1.2 TLSv1.3; client_max_body_size 20m;
                ssl_certificate \(place)/server.pem; ssl_certificate_key \(place)/server.key;
                location /hello { return 200 $request_uri; }
                location /protocol { return 200 $server_protocol; }
                location /connection { return 200 $connection; }
                location /moved { return 302 https://other.example/; }
              }
            }
            """
    }

    /// Waits until its port is open: nginx says its name and version then.
    ///
    /// - Returns: `false` when a minute was not enough.
    public func isReady() async throws -> Bool {
        try await WorkerThread.run { [said] in said.wait(within: 60_000) { $0.contains("nginx/") } }
    }

    /// What it wrote about requests: a line for each.
    public var requests: String {
        (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
    }

    // Not SIGTERM: a child of a shared thread inherits its signal mask, in which that one is blocked.
    deinit { _ = Glibc.kill(process.withLock { $0.processIdentifier }, SIGKILL) }
}
#endif
