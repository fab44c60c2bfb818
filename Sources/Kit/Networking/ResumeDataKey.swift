/// The key under which an interrupted download leaves what it can be gone on with, in an error's `userInfo`: the name that Foundation
/// on Linux does not have.
///
/// ```swift
/// let data = (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data
/// ```
///
/// A `URLSession` on Linux leaves nothing there, so an app begins again. What goes on after an interruption is
/// `HTTPClient.download(_:to:)`.
/// Source: Apple, Foundation, `NSURLSessionDownloadTaskResumeData`.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
