// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A contract with code and nothing of a token.
contract NotAToken {
    uint256 public unrelated = 42;
}
