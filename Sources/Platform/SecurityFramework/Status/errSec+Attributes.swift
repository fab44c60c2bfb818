// Status codes about the attributes of a cryptographic operation. Names and numbers as in Apple's header SecBase.h.

/// Invalid output vector.
public let errSecInvalidOutputVector: OSStatus = -67_745
/// Invalid context.
public let errSecInvalidContext: OSStatus = -67_746
/// Invalid algorithm.
public let errSecInvalidAlgorithm: OSStatus = -67_747
/// Invalid attribute key.
public let errSecInvalidAttributeKey: OSStatus = -67_748
/// Missing attribute key.
public let errSecMissingAttributeKey: OSStatus = -67_749
/// Invalid attribute init vector.
public let errSecInvalidAttributeInitVector: OSStatus = -67_750
/// Missing attribute init vector.
public let errSecMissingAttributeInitVector: OSStatus = -67_751
/// Invalid attribute salt.
public let errSecInvalidAttributeSalt: OSStatus = -67_752
/// Missing attribute salt.
public let errSecMissingAttributeSalt: OSStatus = -67_753
/// Invalid attribute padding.
public let errSecInvalidAttributePadding: OSStatus = -67_754
/// Missing attribute padding.
public let errSecMissingAttributePadding: OSStatus = -67_755
/// Invalid attribute random.
public let errSecInvalidAttributeRandom: OSStatus = -67_756
/// Missing attribute random.
public let errSecMissingAttributeRandom: OSStatus = -67_757
/// Invalid attribute seed.
public let errSecInvalidAttributeSeed: OSStatus = -67_758
/// Missing attribute seed.
public let errSecMissingAttributeSeed: OSStatus = -67_759
/// Invalid attribute passphrase.
public let errSecInvalidAttributePassphrase: OSStatus = -67_760
/// Missing attribute passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67_761
/// Invalid attribute key length.
public let errSecInvalidAttributeKeyLength: OSStatus = -67_762
/// Missing attribute key length.
public let errSecMissingAttributeKeyLength: OSStatus = -67_763
/// Invalid attribute block size.
public let errSecInvalidAttributeBlockSize: OSStatus = -67_764
/// Missing attribute block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67_765
/// Invalid attribute output size.
public let errSecInvalidAttributeOutputSize: OSStatus = -67_766
/// Missing attribute output size.
public let errSecMissingAttributeOutputSize: OSStatus = -67_767
/// Invalid attribute rounds.
public let errSecInvalidAttributeRounds: OSStatus = -67_768
/// Missing attribute rounds.
public let errSecMissingAttributeRounds: OSStatus = -67_769
/// Invalid algorithm parameters.
public let errSecInvalidAlgorithmParms: OSStatus = -67_770
/// Missing algorithm parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67_771
/// Invalid attribute label.
public let errSecInvalidAttributeLabel: OSStatus = -67_772
/// Missing attribute label.
public let errSecMissingAttributeLabel: OSStatus = -67_773
/// Invalid attribute key type.
public let errSecInvalidAttributeKeyType: OSStatus = -67_774
/// Missing attribute key type.
public let errSecMissingAttributeKeyType: OSStatus = -67_775
/// Invalid attribute mode.
public let errSecInvalidAttributeMode: OSStatus = -67_776
/// Missing attribute mode.
public let errSecMissingAttributeMode: OSStatus = -67_777
/// Invalid attribute effective bits.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67_778
/// Missing attribute effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67_779
/// Invalid attribute start date.
public let errSecInvalidAttributeStartDate: OSStatus = -67_780
/// Missing attribute start date.
public let errSecMissingAttributeStartDate: OSStatus = -67_781
/// Invalid attribute end date.
public let errSecInvalidAttributeEndDate: OSStatus = -67_782
/// Missing attribute end date.
public let errSecMissingAttributeEndDate: OSStatus = -67_783
/// Invalid attribute version.
public let errSecInvalidAttributeVersion: OSStatus = -67_784
/// Missing attribute version.
public let errSecMissingAttributeVersion: OSStatus = -67_785
/// Invalid attribute prime.
public let errSecInvalidAttributePrime: OSStatus = -67_786
/// Missing attribute prime.
public let errSecMissingAttributePrime: OSStatus = -67_787
/// Invalid attribute base.
public let errSecInvalidAttributeBase: OSStatus = -67_788
/// Missing attribute base.
public let errSecMissingAttributeBase: OSStatus = -67_789
/// Invalid attribute subprime.
public let errSecInvalidAttributeSubprime: OSStatus = -67_790
/// Missing attribute subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67_791
/// Invalid attribute iteration count.
public let errSecInvalidAttributeIterationCount: OSStatus = -67_792
/// Missing attribute iteration count.
public let errSecMissingAttributeIterationCount: OSStatus = -67_793
/// Invalid attribute DL/DB handle.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67_794
/// Missing attribute DL/DB handle.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67_795
/// Invalid attribute access credentials.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67_796
/// Missing attribute access credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67_797
/// Invalid attribute public key format.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67_798
/// Missing attribute public key format.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67_799
/// Invalid attribute private key format.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67_800
/// Missing attribute private key format.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67_801
/// Invalid attribute symmetric key format.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67_802
/// Missing attribute symmetric key format.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67_803
/// Invalid attribute wrapped key format.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67_804
