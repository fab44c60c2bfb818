@_exported public import FoundationNetworking
@_exported public import PaviseURLSession

// A file that imports this module has all of FoundationNetworking, with the names of this module in the place of its
// own.
#if PAVISE_TOOLSET
// It stands before Foundation in such a build, so nothing may lead around it.
@_exported public import PaviseFileProtection
#else
@_exported public import Foundation
#endif
