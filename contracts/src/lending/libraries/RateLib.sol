// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode, RateTerms} from "../interfaces/IInterestRateModel.sol";
import {InterestLib} from "./InterestLib.sol";

/// @notice The rate of variable loans under the terms of a model.
library RateLib {
    uint256 internal constant MAX_RATE_BPS = 50_000;

    function rateDown(RateTerms memory terms, uint256 borrowed, uint256 liquidity)
        internal
        pure
        returns (uint256 rate)
    {
        uint256 utilization = InterestLib.utilizationDown(borrowed, liquidity);
        if (utilization > InterestLib.WAD) utilization = InterestLib.WAD;
        rate = InterestLib.curveRateDown(utilization, terms.baseBps, terms.multiplierBps, terms.jumpBps, terms.kinkBps);
        uint256 cap = MAX_RATE_BPS;
        if (terms.mode == RateMode.CLAMPED) {
            uint256 floor = terms.floorBps * InterestLib.WAD_PER_BPS;
            if (rate < floor) rate = floor;
            cap = terms.capBps;
        }
        cap *= InterestLib.WAD_PER_BPS;
        if (rate > cap) rate = cap;
    }
}
