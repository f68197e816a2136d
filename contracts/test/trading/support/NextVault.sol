// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What the next release of the vault looks like to a proxy.
contract NextVault {
    bytes32 public constant proxiableUUID = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    uint256 public immutable version;

    constructor(uint256 version_) {
        version = version_;
    }
}
