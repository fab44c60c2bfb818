/// Names under which anybody may have a host. Not the Public Suffix List: what is on it and often seen in entries.
enum SharedSuffix {
    static func contains(_ name: String) -> Bool {
        guard name != "localhost", name != "local", !name.hasSuffix(".local") else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 else { return true }
        if labels.count == 2, labels[1].utf8.count == 2, registries.contains(String(labels[0])) { return true }
        return hosting.contains(name)
    }

    private static let registries: Set<String> = [
        "ac", "co", "com", "edu", "gov", "ne", "net", "nhs", "or", "org", "sch",
    ]
    private static let hosting: Set<String> = [
        "amazonaws.com", "s3.amazonaws.com", "cloudfront.net", "elasticbeanstalk.com", "azurewebsites.net",
        "azureedge.net",
        "blob.core.windows.net", "cloudapp.net", "appspot.com", "blogspot.com", "firebaseapp.com", "web.app", "run.app",
        "github.io", "gitlab.io", "githubusercontent.com", "herokuapp.com", "netlify.app", "vercel.app", "pages.dev",
        "workers.dev", "fastly.net", "akamaized.net", "ngrok.io", "wordpress.com", "duckdns.org", "dyndns.org",
    ]
}
