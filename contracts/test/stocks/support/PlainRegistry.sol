// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The reads of a registry that a stock token makes; anyone writes.
contract PlainRegistry {
    mapping(address wallet => address) public identity;
    mapping(address wallet => bool) public isBarred;

    function verify(address wallet) external {
        identity[wallet] = wallet;
    }

    function register(address wallet, address person) external {
        identity[wallet] = person;
    }

    /// @notice Verified no more, although the record stays: expired or frozen.
    function bar(address wallet, bool barred) external {
        isBarred[wallet] = barred;
    }

    function revoke(address wallet) external {
        identity[wallet] = address(0);
    }

    function moveIdentity(address lostWallet, address newWallet) external {
        identity[newWallet] = identity[lostWallet];
        identity[lostWallet] = address(0);
    }

    function isVerified(address wallet) external view returns (bool) {
        return identity[wallet] != address(0) && !isBarred[wallet];
    }
}
