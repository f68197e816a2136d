// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TokenReads} from "./TokenReads.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice Signatures of keys and of wallet contracts (ERC-1271), which get bounded gas and one word of answer.
library SignatureLib {
    /// @dev Enough for wallets that check a passkey without a precompile.
    uint256 internal constant WALLET_GAS = 400_000;

    /// @dev The key comes first: an account that delegates its code (EIP-7702) keeps its key.
    function isValid(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && recovered == signer && signer != address(0)) return true;
        if (signer.code.length == 0) return false;
        bytes memory question = abi.encodeCall(IERC1271.isValidSignature, (digest, signature));
        (bool isAnswered, uint256 answer) = TokenReads.word(signer, question, WALLET_GAS);
        return isAnswered && bytes32(answer) == bytes32(IERC1271.isValidSignature.selector);
    }
}
