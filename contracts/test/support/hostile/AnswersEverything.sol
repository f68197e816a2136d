// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Answers the word 1 to any call at all.
contract AnswersEverything {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(uint256(1));
    }
}
