// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Simple interest per second on principal, 365-day year. Rates are per year, 1e18 is 100 %.
library InterestLib {
    uint256 internal constant WAD = 1e18;
    uint256 internal constant YEAR = 365 days;
    uint256 internal constant WAD_PER_BPS = 1e14;
    /// @dev The pool's interest is kept with nine more decimals than the asset, so that frequent accrual loses nothing.
    uint256 internal constant POOL_SCALE = 1e9;

    /// @notice Seconds since `since`; 0 when the clock stepped back.
    function elapsed(uint256 since, uint256 timestamp) internal pure returns (uint256) {
        return timestamp > since ? timestamp - since : 0;
    }

    /// @notice What one loan owes for `indexDelta`, the sum of rate x seconds.
    function loanInterestUp(uint256 principal, uint256 indexDelta) internal pure returns (uint256) {
        uint256 product = principal * indexDelta;
        return product == 0 ? 0 : (product - 1) / (WAD * YEAR) + 1;
    }

    /// @notice The index delta at which `principal` owes at least `product`, an amount x `WAD` x `YEAR`.
    function indexDeltaUp(uint256 principal, uint256 product) internal pure returns (uint256) {
        return product == 0 ? 0 : (product - 1) / principal + 1;
    }

    /// @notice What the whole book earned in `duration`, scaled by `POOL_SCALE`.
    /// @param stampedPrincipalBps Sum of principal x rate (in bps) over the loans that carry their own rate.
    function poolInterestDown(uint256 variablePrincipal, uint256 rateWad, uint256 stampedPrincipalBps, uint256 duration)
        internal
        pure
        returns (uint256)
    {
        return
            (variablePrincipal * rateWad + stampedPrincipalBps * WAD_PER_BPS) * duration / (YEAR * (WAD / POOL_SCALE));
    }

    /// @notice The part of the pool's money that is lent, 1e18 is all of it.
    function utilizationDown(uint256 borrowed, uint256 liquidity) internal pure returns (uint256) {
        return liquidity == 0 ? 0 : borrowed * WAD / liquidity;
    }

    /// @notice The rate at a utilization: a line up to the kink, a steeper one above.
    function curveRateDown(
        uint256 utilizationWad,
        uint256 baseBps,
        uint256 multiplierBps,
        uint256 jumpBps,
        uint256 kinkBps
    ) internal pure returns (uint256) {
        uint256 kinkWad = kinkBps * WAD_PER_BPS;
        uint256 below = utilizationWad < kinkWad ? utilizationWad : kinkWad;
        return baseBps * WAD_PER_BPS + below * multiplierBps / 10_000 + (utilizationWad - below) * jumpBps / 10_000;
    }
}
