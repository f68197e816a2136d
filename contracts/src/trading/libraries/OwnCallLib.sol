// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A call of a contract to itself that may fail without failing the rest.
library OwnCallLib {
    /// @dev A selector and eight words.
    uint256 internal constant MAX_REASON = 260;

    function tryOwn(bytes memory callData, uint256 gasLimit) internal returns (bool success, bytes memory reason) {
        uint256 maxReason = MAX_REASON;
        assembly ("memory-safe") {
            success := call(gasLimit, address(), 0, add(callData, 0x20), mload(callData), 0, 0)
            let copied := 0
            if iszero(success) {
                copied := returndatasize()
                if gt(copied, maxReason) { copied := maxReason }
            }
            reason := mload(0x40)
            mstore(reason, copied)
            returndatacopy(add(reason, 0x20), 0, copied)
            // A word of zeros behind: whoever reads a selector of a shorter reason reads no leftovers.
            mstore(add(add(reason, 0x20), copied), 0)
            mstore(0x40, and(add(add(reason, copied), 0x5f), not(0x1f)))
        }
    }

    function selectorOf(bytes memory reason) internal pure returns (bytes4) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return reason.length < 4 ? bytes4(0) : bytes4(reason);
    }
}
