// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a proxy runs, counted.
interface IVersioned {
    /// @notice Rises with every implementation.
    function version() external view returns (uint256);
}
