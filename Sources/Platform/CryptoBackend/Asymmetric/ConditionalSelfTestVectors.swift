internal import PavisePrimitives

/// The answers of ``ConditionalSelfTest``, and where each is published.
enum ConditionalSelfTestVectors {
    // Python's package `cryptography`.
    static let rsaModulus = bytes(
        "aad7b10e043c001907c6d1e95a285d459124e673f3faab72b282907db90da0377c213542007c4de325f40b93"
            + "54f7383674dd99b0554a01e11c7d119bdea420ec6e34c96c26c3813939a98d1490ef282bfd097c0c4669c959"
            + "e22f97da08c2c0bbfa087019f2740b261ca4d7947dade420567c2d6da90942c67675f1f12da2543639e80266"
            + "253a22bad45ccf99b76315f2f9cc201a42362cdc1925f286dfed5fe2e40c59c4a1adaa7ced15cc16300c8da8"
            + "2fd7a47b08ea11b0bb1ef455d23ccc22fdb6bd988941034fc168a84a22effacf76cebbb8deb32ea3461280ff"
            + "1928ad8cfe3a50cba883053a9c6a1ffd47f81d1e793a411dceab245a66d8ace2ea89c4ef")
    static let rsa = bytes(
        "688452ae872bb4012b619a28acf1bbd0caf44b2a475c31023241e8db7895c5a9a8941fd92b8b7839083e898e"
            + "74f9b728df14ccff635f17c01f86eeb2fe6c7b47f234b91d191131e804caa901235260ec0a22afdcdc9771a5"
            + "1804fbfa9ba60bc1f393ee65be94bc0adab597f5aba8bebdce0dbdd92f9175eae15f27276b2c907d16a78986"
            + "6c43fa99fcb29d908435ca10786c377571a4d53be1f5baab4405ff7a3bc92dce616f4f7bd0bef3ad4c099ede"
            + "ac128f94f6fd306f63907488ea72f5ea1b8b185c6596f8abf1e99e2dd9e5d5c65599b02ac189ebea68716005"
            + "e19c938a07b6635d565386976db1ce0f4bc9047c7fcfb7741bc116f1f2a3a24881e6491d")
    // RFC 6979, appendix A.2.6.
    static let ecdsa384Key = bytes(
        "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254"
            + "515480bc138015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4"
            + "fe7344fd2533264720")
    static let ecdsa384 = bytes(
        "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e"
            + "80fabe4699ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e"
            + "7b82c71a38628ac8")
    // Python's package `cryptography`: a private key of 1,024 bits for this alone, its signature of "abc" (PKCS#1 v1.5)
    // and "abc" encrypted for it (OAEP), both with SHA-256.
    static let rsaPair = bytes(
        "3082025e02010002818100ca8665b4b8149a14acdf11b70e3da05814effa9615327bd117d38344a0f6a527ac"
            + "dcc646fd2b2b03d075817a711acb373a5bf215455db0a6e553fe536930a711700ecd97bd30d4f37bc9d72dbd"
            + "100b0ebd55c74bae58ddae5deb3d2036fd01f75c1c68d3f3847bae318d08e3828213191f70e87127d9857ea7"
            + "0ba972bc92a3830203010001028180111b893bdad0e2b31c673b77db1c198f57356e557f34e480a52298d413"
            + "44c26eb78b6eb4506e7513bd682fa7c8261b446f09954976b2935985c5b296192ca2f00fa603b5c103edaf44"
            + "5c13061a993a9ab8a00a83e201d79e732350d1a28c5d479781853adbab2ceb2f2a3a382f1fa92af0e10d71f1"
            + "1bc6f55025e7fc521cac01024100edc64f1d97b6fb10e99e9c477572fe8859e07f23ecb13e466f33ff0334a6"
            + "ebdb3def94412490d7d038efb11a12a455ce62bffbebb3abd0a803a4d85b45447cf1024100da0c6879ed8972"
            + "e4b2330701c3f1e520e0003c22bcf362b8d284bf5d392e23fc14e008886891940910c7d27f04385c9de12176"
            + "bdc07dfb13b856e72f6a4fb7b302410082541a756bfd3dec6d412503fe1a83ed94e5fa8a64685a6c1cf3f129"
            + "7ea8a7caca4e11830b59e1111ec432dcc9af0de14c3b530844b93e6b7963d7bb5f6244e1024100d64f0dbc90"
            + "efe001d0f780328700cffff0c9aa51463f3ccf84f1be180524496ff0a08522750c686044a2f14bafbd29a26e"
            + "ec72056c15265a2a7b177c2dd42e2b024100b337eea9a11cfe7375b722ef48ef4805f560977cd39a76add760"
            + "82109a013be399156dfa67787a5b2240b5d238f7d3784d9287cbd008fd8d304cb8eb8b15fc90")
    static let rsaPKCS1 = bytes(
        "2441b42cf3b6119253897388945283bf197a506f215e5bfa861863b0993c2e3ec86257219bd4481b05898312"
            + "f1022c3081e5890c0bb437c3e59d339a166faf7277af47a994745ab0f28ad3bc1e06bdca275d9b77b160723b"
            + "d9c396631e17d9b12ddac369070e4181159b9ec3ee4a2c92af7699814f9793aa57ec19cc8567fe6f")
    static let rsaOAEP = bytes(
        "3fb0216f691a313660f19bc37310c8f5eec381da522f279fa2a6d9b7d61e30069a399a0e2a4dfc711282904d"
            + "46779e2fabd401843bf75736111d318a9392dcf0373536e361b87f73d9672122060810029c2b01c75ebbe1b9"
            + "4297c9568329fd79d3c469b7d9e0aa5b873ded63d433ec774012d33400e866d05e13d14281f2a6af")

    // Text that is no hexadecimal would be an answer that nothing gives: the test fails.
    private static func bytes(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }
}
