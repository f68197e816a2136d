// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Shares of the pool, always 18 decimals, with one virtual unit of the asset behind every pool.
library SharesLib {
    /// @dev A pool whose shares are worth less than this part of what they were issued at is wiped out.
    uint256 internal constant WIPED_OUT_FRACTION = 1e6;

    /// @notice Shares that stand for one unit of the asset in an empty pool.
    function offset(uint8 assetDecimals) internal pure returns (uint256) {
        return 10 ** (18 - assetDecimals);
    }

    function toSharesDown(uint256 assets, uint256 totalAssets, uint256 totalShares, uint256 offset_)
        internal
        pure
        returns (uint256)
    {
        return assets * (totalShares + offset_) / (totalAssets + 1);
    }

    function toAssetsDown(uint256 shares, uint256 totalAssets, uint256 totalShares, uint256 offset_)
        internal
        pure
        returns (uint256)
    {
        return shares * (totalAssets + 1) / (totalShares + offset_);
    }

    /// @notice Whether losses consumed the pool, so that the next deposit starts a new epoch of shares.
    function isWipedOut(uint256 totalAssets, uint256 totalShares, uint256 offset_) internal pure returns (bool) {
        return totalShares != 0 && totalAssets * offset_ * WIPED_OUT_FRACTION < totalShares;
    }
}
