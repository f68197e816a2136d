// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Shares of a vault, with the decimals of its asset, and one virtual share on one virtual unit of the asset.
library VaultSharesLib {
    /// @notice Shares for a deposit of `amount` into a vault that holds `totalAssets`.
    function toSharesDown(uint256 amount, uint256 totalAssets, uint256 totalShares) internal pure returns (uint256) {
        return amount * (totalShares + 1) / (totalAssets + 1);
    }

    /// @notice What `shares` stand for.
    function toAssetsDown(uint256 shares, uint256 totalAssets, uint256 totalShares) internal pure returns (uint256) {
        return shares * (totalAssets + 1) / (totalShares + 1);
    }

    /// @notice Of `shares` that stand for `owed`, how many are burnt when only `paid` can be paid. The rounding is the
    /// redeemer's.
    function burntUp(uint256 shares, uint256 paid, uint256 owed) internal pure returns (uint256) {
        return paid == owed ? shares : (shares * paid - 1) / owed + 1;
    }
}
