// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a proxy of a stock runs, counted.
interface IImplementationVersioned {
    /// @notice Rises with every implementation. Not `version`, which is a string in ERC-3643.
    function implementationVersion() external view returns (uint256);
}
