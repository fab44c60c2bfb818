#if os(Linux)
/// The name that ``HTTPClient`` had on Linux.
public typealias CurlTransport = HTTPClient
#else
/// The name that ``HTTPClient`` had on Apple's systems.
public typealias URLSessionTransport = HTTPClient
#endif
