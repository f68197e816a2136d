// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Answers like the auction venue of a market and keeps what it is sent.
contract GreedyVenue {
    address public immutable market;
    address public immutable collateralToken;
    address public immutable asset;

    uint256 public immutable collateralScale;

    constructor(address market_, address collateralToken_, address asset_, uint256 collateralScale_) {
        market = market_;
        collateralToken = collateralToken_;
        asset = asset_;
        collateralScale = collateralScale_;
    }

    function startAuction(uint256, uint256, address, uint256, uint256, uint256) external pure returns (uint256) {
        return 1;
    }

    function marketPaused(bool) external {}
}
