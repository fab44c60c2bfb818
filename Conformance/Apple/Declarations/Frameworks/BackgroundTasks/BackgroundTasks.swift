// Declarations of ours of what Pavise names of BackgroundTasks, from Apple's documentation. For checking types on
// Linux.
// Pages: https://developer.apple.com/documentation/backgroundtasks/ and the name in lower case.
// Only: ios
@_exported public import Foundation
@_exported public import Dispatch

/// https://developer.apple.com/documentation/backgroundtasks/bgtask
open class BGTask: NSObject {
    open var identifier: String { fatalError() }
    open var expirationHandler: (() -> Void)? { get { fatalError() } set {} }
    open func setTaskCompleted(success: Bool) {}
}

/// https://developer.apple.com/documentation/backgroundtasks/bgtaskrequest
open class BGTaskRequest: NSObject {
    open var identifier: String { fatalError() }
    open var earliestBeginDate: Date? { get { fatalError() } set {} }
}

/// https://developer.apple.com/documentation/backgroundtasks/bgprocessingtaskrequest
open class BGProcessingTaskRequest: BGTaskRequest {
    public init(identifier: String) { fatalError() }
    open var requiresNetworkConnectivity: Bool { get { fatalError() } set {} }
    open var requiresExternalPower: Bool { get { fatalError() } set {} }
}

/// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler
open class BGTaskScheduler: NSObject {
    open class var shared: BGTaskScheduler { fatalError() }
    open func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { fatalError() }
    open func submit(_ taskRequest: BGTaskRequest) throws { fatalError() }
    open func cancel(taskRequestWithIdentifier identifier: String) {}
}
