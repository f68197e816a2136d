// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode, RateTerms} from "../interfaces/IInterestRateModel.sol";
import {InterestLib} from "./InterestLib.sol";

/// @notice The rate of variable loans under the terms of a model.
library RateLib {
    uint256 internal constant MAX_RATE_BPS = 50_000;

    function rateDown(RateTerms memory terms, uint256 borrowed, uint256 liquidity) internal pure returns (uint256) {
        uint256 rate = curveDown(terms.baseBps, terms.multiplierBps, terms.jumpBps, terms.kinkBps, borrowed, liquidity);
        return boundedDown(rate, terms.mode, terms.floorBps, terms.capBps);
    }

    /// @notice What the curve says, whatever the bounds are.
    function curveDown(
        uint256 baseBps,
        uint256 multiplierBps,
        uint256 jumpBps,
        uint256 kinkBps,
        uint256 borrowed,
        uint256 liquidity
    ) internal pure returns (uint256) {
        uint256 utilization = InterestLib.utilizationDown(borrowed, liquidity);
        if (utilization > InterestLib.WAD) utilization = InterestLib.WAD;
        return InterestLib.curveRateDown(utilization, baseBps, multiplierBps, jumpBps, kinkBps);
    }

    /// @notice A rate within the bounds of its mode.
    function boundedDown(uint256 rate, RateMode mode, uint256 floorBps, uint256 capBps)
        internal
        pure
        returns (uint256)
    {
        uint256 cap = MAX_RATE_BPS;
        if (mode == RateMode.CLAMPED) {
            uint256 floor = floorBps * InterestLib.WAD_PER_BPS;
            if (rate < floor) rate = floor;
            cap = capBps;
        }
        cap *= InterestLib.WAD_PER_BPS;
        if (rate > cap) rate = cap;
        return rate;
    }
}
