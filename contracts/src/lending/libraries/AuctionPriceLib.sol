// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The price of a Dutch auction: a straight line from the start premium down to the floor.
library AuctionPriceLib {
    uint256 private constant BPS = 10_000;

    /// @notice Price after `elapsed` seconds. From the end on it is the floor.
    function priceUp(uint256 oraclePrice, uint256 startBps, uint256 floorBps, uint256 elapsed, uint256 duration)
        internal
        pure
        returns (uint256)
    {
        if (elapsed >= duration) return floorPriceUp(oraclePrice, floorBps);
        uint256 numerator = oraclePrice * (startBps * duration - (startBps - floorBps) * elapsed);
        return _divUp(numerator, BPS * duration);
    }

    /// @notice The lowest price at which the auction sells.
    function floorPriceUp(uint256 oraclePrice, uint256 floorBps) internal pure returns (uint256) {
        return _divUp(oraclePrice * floorBps, BPS);
    }

    /// @notice What a bidder pays for `amount` of collateral.
    function costUp(uint256 amount, uint256 price, uint256 collateralScale) internal pure returns (uint256) {
        return _divUp(amount * price, collateralScale);
    }

    function _divUp(uint256 numerator, uint256 denominator) private pure returns (uint256) {
        return numerator == 0 ? 0 : (numerator - 1) / denominator + 1;
    }
}
