// Status codes of databases, modules and keys. Names and numbers as in Apple's header SecBase.h.

/// MobileMe CSR verify failure.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67_665
/// MobileMe failed consistency check.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67_666
/// Not initialized.
public let errSecNotInitialized: OSStatus = -67_667
/// Invalid handle usage.
public let errSecInvalidHandleUsage: OSStatus = -67_668
/// PVC referent not found.
public let errSecPVCReferentNotFound: OSStatus = -67_669
/// Function integrity fail.
public let errSecFunctionIntegrityFail: OSStatus = -67_670
/// Internal error.
public let errSecInternalError: OSStatus = -67_671
/// Memory error.
public let errSecMemoryError: OSStatus = -67_672
/// Invalid data.
public let errSecInvalidData: OSStatus = -67_673
/// MDS error.
public let errSecMDSError: OSStatus = -67_674
/// Invalid pointer.
public let errSecInvalidPointer: OSStatus = -67_675
/// Self check failed.
public let errSecSelfCheckFailed: OSStatus = -67_676
/// Function failed.
public let errSecFunctionFailed: OSStatus = -67_677
/// Module manifest verify failed.
public let errSecModuleManifestVerifyFailed: OSStatus = -67_678
/// Invalid GUID.
public let errSecInvalidGUID: OSStatus = -67_679
/// Invalid handle.
public let errSecInvalidHandle: OSStatus = -67_680
/// Invalid DB list.
public let errSecInvalidDBList: OSStatus = -67_681
/// Invalid passthrough ID.
public let errSecInvalidPassthroughID: OSStatus = -67_682
/// Invalid network address.
public let errSecInvalidNetworkAddress: OSStatus = -67_683
/// CRL already signed.
public let errSecCRLAlreadySigned: OSStatus = -67_684
/// Invalid number of fields.
public let errSecInvalidNumberOfFields: OSStatus = -67_685
/// Verification failure.
public let errSecVerificationFailure: OSStatus = -67_686
/// Unknown tag.
public let errSecUnknownTag: OSStatus = -67_687
/// Invalid signature.
public let errSecInvalidSignature: OSStatus = -67_688
/// Invalid name.
public let errSecInvalidName: OSStatus = -67_689
/// Invalid certificate ref.
public let errSecInvalidCertificateRef: OSStatus = -67_690
/// Invalid certificate group.
public let errSecInvalidCertificateGroup: OSStatus = -67_691
/// Tag not found.
public let errSecTagNotFound: OSStatus = -67_692
/// Invalid query.
public let errSecInvalidQuery: OSStatus = -67_693
/// Invalid value.
public let errSecInvalidValue: OSStatus = -67_694
/// Callback failed.
public let errSecCallbackFailed: OSStatus = -67_695
/// ACL delete failed.
public let errSecACLDeleteFailed: OSStatus = -67_696
/// ACL replace failed.
public let errSecACLReplaceFailed: OSStatus = -67_697
/// ACL add failed.
public let errSecACLAddFailed: OSStatus = -67_698
/// ACL change failed.
public let errSecACLChangeFailed: OSStatus = -67_699
/// Invalid access credentials.
public let errSecInvalidAccessCredentials: OSStatus = -67_700
/// Invalid record.
public let errSecInvalidRecord: OSStatus = -67_701
/// Invalid ACL.
public let errSecInvalidACL: OSStatus = -67_702
/// Invalid sample value.
public let errSecInvalidSampleValue: OSStatus = -67_703
/// Incompatible version.
public let errSecIncompatibleVersion: OSStatus = -67_704
/// Privilege not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67_705
/// Invalid scope.
public let errSecInvalidScope: OSStatus = -67_706
/// PVC already configured.
public let errSecPVCAlreadyConfigured: OSStatus = -67_707
/// Invalid PVC.
public let errSecInvalidPVC: OSStatus = -67_708
/// EMM load failed.
public let errSecEMMLoadFailed: OSStatus = -67_709
/// EMM unload failed.
public let errSecEMMUnloadFailed: OSStatus = -67_710
/// Addin load failed.
public let errSecAddinLoadFailed: OSStatus = -67_711
/// Invalid key ref.
public let errSecInvalidKeyRef: OSStatus = -67_712
/// Invalid key hierarchy.
public let errSecInvalidKeyHierarchy: OSStatus = -67_713
/// Addin unload failed.
public let errSecAddinUnloadFailed: OSStatus = -67_714
/// Library reference not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67_715
/// Invalid addin function table.
public let errSecInvalidAddinFunctionTable: OSStatus = -67_716
/// Invalid service mask.
public let errSecInvalidServiceMask: OSStatus = -67_717
/// Module not loaded.
public let errSecModuleNotLoaded: OSStatus = -67_718
/// Invalid sub service ID.
public let errSecInvalidSubServiceID: OSStatus = -67_719
/// Attribute not in context.
public let errSecAttributeNotInContext: OSStatus = -67_720
/// Module manager initialize failed.
public let errSecModuleManagerInitializeFailed: OSStatus = -67_721
/// Module manager not found.
public let errSecModuleManagerNotFound: OSStatus = -67_722
/// Event notification callback not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67_723
/// Input length error.
public let errSecInputLengthError: OSStatus = -67_724
/// Output length error.
public let errSecOutputLengthError: OSStatus = -67_725
/// Privilege not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67_726
/// Device error.
public let errSecDeviceError: OSStatus = -67_727
/// Attach handle busy.
public let errSecAttachHandleBusy: OSStatus = -67_728
/// Not logged in.
public let errSecNotLoggedIn: OSStatus = -67_729
/// Algorithm mismatch.
public let errSecAlgorithmMismatch: OSStatus = -67_730
/// Key usage incorrect.
public let errSecKeyUsageIncorrect: OSStatus = -67_731
/// Key blob type incorrect.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67_732
/// Key header inconsistent.
public let errSecKeyHeaderInconsistent: OSStatus = -67_733
/// Unsupported key format.
public let errSecUnsupportedKeyFormat: OSStatus = -67_734
/// Unsupported key size.
public let errSecUnsupportedKeySize: OSStatus = -67_735
/// Invalid key usage mask.
public let errSecInvalidKeyUsageMask: OSStatus = -67_736
/// Unsupported key usage mask.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67_737
/// Invalid key attribute mask.
public let errSecInvalidKeyAttributeMask: OSStatus = -67_738
/// Unsupported key attribute mask.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67_739
/// Invalid key label.
public let errSecInvalidKeyLabel: OSStatus = -67_740
/// Unsupported key label.
public let errSecUnsupportedKeyLabel: OSStatus = -67_741
/// Invalid key format.
public let errSecInvalidKeyFormat: OSStatus = -67_742
/// Unsupported vector of buffers.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67_743
/// Invalid input vector.
public let errSecInvalidInputVector: OSStatus = -67_744
