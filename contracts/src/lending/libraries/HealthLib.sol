// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What collateral is worth, what it carries, and how much of it a claim takes.
/// @dev Prices are smallest units of the borrow asset per whole collateral token; `scale` is 10 ** its decimals.
library HealthLib {
    uint256 private constant BPS = 10_000;

    function valueDown(uint256 collateral, uint256 price, uint256 scale) internal pure returns (uint256) {
        return collateral * price / scale;
    }

    /// @notice The most debt that `collateral` carries at `factorBps`.
    function capacityDown(uint256 collateral, uint256 price, uint256 scale, uint256 factorBps)
        internal
        pure
        returns (uint256)
    {
        return valueDown(collateral, price, scale) * factorBps / BPS;
    }

    /// @notice 1e18 is the border: below it the loan can be realized. A loan without debt has no health factor.
    function healthFactorDown(
        uint256 collateral,
        uint256 price,
        uint256 scale,
        uint256 liquidationThresholdBps,
        uint256 debt
    ) internal pure returns (uint256) {
        if (debt == 0) return type(uint256).max;
        return capacityDown(collateral, price, scale, liquidationThresholdBps) * 1e18 / debt;
    }

    /// @notice The part of the debt that one realization may claim.
    function closableDebtUp(uint256 debt, uint256 closeFactorBps) internal pure returns (uint256) {
        return _divUp(debt * closeFactorBps, BPS);
    }

    /// @notice Collateral that covers `claim` and the penalty on it.
    function collateralForClaimUp(uint256 claim, uint256 penaltyBps, uint256 price, uint256 scale)
        internal
        pure
        returns (uint256)
    {
        return _divUp(claim * (BPS + penaltyBps) * scale, BPS * price);
    }

    /// @notice The claim that `collateral` covers together with the penalty on it.
    function claimForCollateralDown(uint256 collateral, uint256 penaltyBps, uint256 price, uint256 scale)
        internal
        pure
        returns (uint256)
    {
        return collateral * price * BPS / (scale * (BPS + penaltyBps));
    }

    function _divUp(uint256 numerator, uint256 denominator) private pure returns (uint256) {
        return numerator == 0 ? 0 : (numerator - 1) / denominator + 1;
    }
}
