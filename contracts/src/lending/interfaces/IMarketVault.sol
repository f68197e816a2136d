// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a market asks of a registered vault.
interface IMarketVault {
    /// @notice What the vault would give `market` now.
    function drawableFor(address market) external view returns (uint256);

    /// @notice Sends `amount` of the asset to the calling market, which mints pool shares for it.
    function drawForMarket(uint256 amount) external;

    function asset() external view returns (address);
}
