// Declarations of ours of what Pavise names of CommonCrypto, from its manual page CCKeyDerivationPBKDF(3cc).
// Pages: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/ (man 3cc).
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef uint32_t CCPBKDFAlgorithm;
typedef uint32_t CCPseudoRandomAlgorithm;
enum { kCCPBKDF2 = 2 };
enum { kCCPRFHmacAlgSHA1 = 1, kCCPRFHmacAlgSHA256 = 3, kCCPRFHmacAlgSHA512 = 5 };
enum { kCCSuccess = 0, kCCParamError = -4300 };
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLength, const uint8_t *salt, size_t saltLength,
    CCPseudoRandomAlgorithm prf, unsigned int rounds, uint8_t *derived, size_t derivedLength);
unsigned int CCCalibratePBKDF(
    CCPBKDFAlgorithm algorithm, size_t passwordLength, size_t saltLength, CCPseudoRandomAlgorithm prf,
    size_t derivedLength, uint32_t milliseconds);
