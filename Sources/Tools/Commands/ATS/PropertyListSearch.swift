internal import Foundation
internal import PavisePrimitives

/// Finds the property lists that a path stands for.
enum PropertyListSearch {
    /// A file and what it holds.
    struct Found {
        let path: String
        let content: Result<PropertyListValue, PropertyListFailure>
    }

    /// Files of a folder that are looked at, at most.
    private static let limit = 200_000

    /// The list at `path`, or every list of the folder there; links are not followed.
    ///
    /// - Throws: ``CommandFailure`` when there is nothing at `path`, or it, a folder in it or an Info.plist of it
    ///   cannot be read.
    static func files(at path: String) throws(CommandFailure) -> [Found] {
        guard isFolder(path) else { return [Found(path: path, content: try read(path))] }
        var found: [Found] = []
        var count = 0
        var folders = [path]
        while let folder = folders.popLast() {
            for name in try names(in: folder) {
                count += 1
                guard count <= limit else {
                    throw CommandFailure(.failed, "The folder holds more than \(limit) files. Name a smaller one.")
                }
                let file = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                switch try kind(of: file) {
                case .folder: folders.append(file)
                case .file, .link:
                    guard name.hasSuffix(".plist"), let content = try readWanted(file, name) else { continue }
                    found.append(Found(path: file, content: content))
                // Nobody waits at a pipe.
                case .other, nil: continue
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    // What lies in a folder that nobody reads was not looked at.
    private static func names(in folder: String) throws(CommandFailure) -> [String] {
        do throws(SystemFailure) { return try Folder.names(in: folder) } catch {
            guard !error.isNotThere else { return [] }
            let name = Printable.text(folder)
            throw CommandFailure(.failed, "The folder “\(name)” cannot be read: \(error.description)")
        }
    }

    // `nil` for what is gone.
    private static func kind(of file: String) throws(CommandFailure) -> Folder.Kind? {
        do throws(SystemFailure) { return try FileFacts(of: file).kind } catch {
            guard !error.isNotThere else { return nil }
            throw CommandFailure(.failed, "“\(Printable.text(file))” cannot be looked at: \(error.description)")
        }
    }

    // Of an app's own list somebody is told that it was not looked at.
    private static func readWanted(
        _ file: String, _ name: String
    ) throws(CommandFailure) -> Result<PropertyListValue, PropertyListFailure>? {
        do throws(CommandFailure) {
            let content = try read(file)
            return isWanted(name, content) ? content : nil
        } catch {
            guard !name.hasSuffix("Info.plist") else { throw error }
            return nil
        }
    }

    private static func isWanted(_ name: String, _ content: Result<PropertyListValue, PropertyListFailure>) -> Bool {
        guard !name.hasSuffix("Info.plist") else { return true }
        guard case .success(let list) = content else { return false }
        return list["NSAppTransportSecurity"] != nil
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
    }

    private static func read(_ path: String) throws(CommandFailure) -> Result<PropertyListValue, PropertyListFailure> {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try InputFile.read(path, limit: ATSOptions.plistLimit)
        } catch {
            throw CommandFailure(.failed, "The file “\(Printable.text(path))” cannot be read: \(error.description)")
        }
        return Result { () throws(PropertyListFailure) in try PropertyListValue.parse(bytes) }
    }
}
