/// A file with every key of an administrator, for `pavise policy show --template`. It is
/// Documentation/managed.example.json; a test compares the two, and Scripts/check-managed that with the source.
package enum PolicyTemplate {
    /// The file.
    package static let text = """
        {
          "allowedServers": [
            "cloud.example.org",
            "*.example.org:8443"
          ],
          "preApproved": [
            {
              "host": "printer.example.org",
              "port": 8443,
              "key": "unDh2swX4adwcs6XBby+O8AGO1eS1ZDyDu/c09h22u4=",
              "certificate": "ba70e1dacc17e1a77072ce9705bcbe3bc0063b5792d590f20eefdcd3d876daee",
              "failures": [
                "selfSigned"
              ],
              "expires": 1893456000
            }
          ],
          "requiredPins": [
            {
              "hosts": [
                "cloud.example.org"
              ],
              "subdomains": "none",
              "leaf": [
                "n5EWH0NDPkmm3m22gNefYBWfLkrJFyYhoShGQoFYRAs=",
                "Ffd1QBamgddPvT8ii5URt2CwAg/MfgG/PEV25PfO98M="
              ],
              "authority": [
                "j3b9UBu2jvcfTidrwo8pvOEAOwwsnZR43oG1v8DN4ek="
              ],
              "leafCertificates": [
                "9f91161f43433e49a6de6db680d79f60159f2e4ac9172621a12846428158440b"
              ],
              "authorityCertificates": [
                "8f76fd501bb68ef71f4e276bc28f29bce1003b0c2c9d9478de81b5bfc0cde1e9"
              ],
              "expires": 1893456000,
              "afterExpiry": "refuse",
              "backup": "required"
            }
          ],
          "denied": {
            "keys": [
              "gj2Vqaco8U1ibfmolHBd2idBe4knQSNkJVtRXp8qwuI="
            ],
            "certificates": [
              "823d95a9a728f14d626df9a894705dda27417b8927412364255b515e9f2ac2e2"
            ],
            "issuers": [
              "CN=Old Authority,O=Example"
            ]
          },
          "plainHTTP": "forbidden",
          "renewal": "sameIssuers",
          "userApproval": "onlySelfSigned",
          "transparency": [
            "shop.example.org"
          ],
          "transparencyLogs": {
            "version": "80.3",
            "log_list_timestamp": "2026-11-20T12:55:20Z",
            "operators": [
              {
                "name": "Example Logs",
                "email": [],
                "logs": [
                  {
                    "description": "Example 2027",
                    "log_id": "qQfd5Ufn2OLpRUR3fEFYl8MxtqF38DZwAPAjfZLjav0=",
                    "key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJ4vuQjVqgmRMH3C3nIVs5cdVBZuW81ggB0bM88F/iD7H8NX26BeQg3FFpq/rPff1KNmri2TwJ3+jMr9YqK7ROw==",
                    "url": "https://logs.example.org/2027/",
                    "mmd": 86400,
                    "state": {
                      "usable": {
                        "timestamp": "2026-06-01T00:00:00Z"
                      }
                    }
                  }
                ]
              }
            ]
          },
          "anchors": "system",
          "authentication": {
            "allowed": [
              "oidc",
              "oauth"
            ],
            "preferred": [
              "oidc"
            ],
            "weaker": "refused",
            "passwordServers": [
              "files.example.org"
            ]
          },
          "session": {
            "maximumSeconds": 86400,
            "inactivitySeconds": 28800,
            "rejections": 3,
            "whileLocked": "forbidden"
          },
          "appLock": {
            "required": true,
            "minimumDigits": 6,
            "passphrase": "allowed",
            "minimumCharacters": 15,
            "attempts": 5,
            "freeAttempts": 1,
            "delaySeconds": 60,
            "atLimit": "wipe",
            "idleSeconds": 3600,
            "backgroundSeconds": 0,
            "activeSeconds": 43200,
            "biometrics": "forbidden",
            "orders": {
              "issuer": "https://management.example.org",
              "keys": [
                {
                  "kty": "EC",
                  "crv": "P-256",
                  "alg": "ES256",
                  "use": "sig",
                  "kid": "2030",
                  "x": "TOWPRqeHoDVkDW-PmzT9FzpEJJdNDvUMtU7azKlCebE",
                  "y": "wiSENX9TH5H1JONAtEzsuy59WsqyO20xHFrBB9vyijQ"
                }
              ]
            }
          },
          "device": {
            "hardware": "required",
            "integrity": "enforced",
            "minimumVersion": "0.1.0"
          }
        }

        """
}
