import Foundation

/// The code of the `NSError` that `body` throws; 0 when it throws nothing, 1 for another error.
func statusCode(_ body: () throws -> some Any) -> Int {
    do {
        _ = try body()
        return 0
    } catch let error as NSError {
        return error.domain == "NSOSStatusErrorDomain" ? error.code : 1
    }
}
