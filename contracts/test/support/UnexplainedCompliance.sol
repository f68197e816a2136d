// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Compliance that knows the standard only: it refuses every transfer and cannot say why.
contract UnexplainedCompliance {
    function bindToken(address) external {}

    function canTransfer(address, address, uint256) external pure returns (bool) {
        return false;
    }
}
