// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Runs creation code the way an `eth_call` without `to` does: what the constructor returns is the answer.
library Deployless {
    error CreationFailed(bytes reason);

    function run(bytes memory creationCode) internal returns (bytes memory) {
        address created;
        assembly ("memory-safe") {
            created := create(0, add(creationCode, 0x20), mload(creationCode))
        }
        if (created == address(0)) {
            bytes memory reason;
            assembly ("memory-safe") {
                reason := mload(0x40)
                mstore(reason, returndatasize())
                returndatacopy(add(reason, 0x20), 0, returndatasize())
                mstore(0x40, and(add(add(reason, returndatasize()), 0x3f), not(0x1f)))
            }
            revert CreationFailed(reason);
        }
        return created.code;
    }
}
