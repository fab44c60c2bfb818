/// The app's entrance, in the place of the Kit's, which composes connections over libcurl, files and a database. What
/// stands over the adapter without it extends it.
public enum AppSecurity {}
