// A file that imports this module has all of FoundationNetworking, with the names of this module in the place of its
// own.
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import PaviseURLSession
