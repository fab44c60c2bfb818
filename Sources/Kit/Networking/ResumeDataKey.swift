// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of an error's `userInfo` under which an interrupted download leaves what goes on with it: a name that
/// Foundation on Linux does not have.
///
/// Code of the field reads it as `(error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data`. A
/// `URLSession` on Linux leaves nothing there, so an app begins again; `HTTPClient.download` goes on after an
/// interruption.
/// Source: Apple, Foundation, `NSURLSessionDownloadTaskResumeData`.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
