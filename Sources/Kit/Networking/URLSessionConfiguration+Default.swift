public import FoundationNetworking
internal import PaviseTransport
internal import PaviseURLSession

// Foundation's own of the same names go around every check. In a file that imports this module, these take their place.

extension URLSessionConfiguration {
    /// A configuration whose requests go through Pavise, by the rules of the program's Info.plist:
    /// `NSAppTransportSecurity`
    /// and `NSPinnedDomains`, without a file as strict as App Transport Security is by default. See
    /// `URLSessionConfiguration.pavise(…)`.
    ///
    /// Redirects are followed within the origin. With an Info.plist that cannot be read every request is refused.
    public class var `default`: URLSessionConfiguration { ProgramRules.configuration() }

    /// The same as ``default``: nothing is kept in either.
    public class var ephemeral: URLSessionConfiguration { ProgramRules.configuration() }
}

extension URLSession {
    /// A session without a delegate, whose requests go through Pavise as `URLSessionConfiguration.default` says.
    public class var shared: URLSession { ProgramRules.session }
}
