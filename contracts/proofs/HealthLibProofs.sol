// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {HealthLib} from "../src/lending/libraries/HealthLib.sol";

/// @notice What holds for the worth and the health of every loan.
contract HealthLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant WAD = 1e18;
    uint256 private constant MAX_AMOUNT = type(uint104).max;
    /// @dev All that the oracle can store.
    uint256 private constant MAX_PRICE = type(uint104).max;
    /// @dev Up to there a health factor fits a word, whatever decimals the collateral has. For a borrow asset of 18
    /// decimals: almost 5,000 million whole units for one whole collateral token.
    uint256 private constant MAX_HEALTH_PRICE = 2 ** 92 - 1;
    uint256 private constant MAX_CAPACITY = MAX_AMOUNT * MAX_HEALTH_PRICE;
    uint256 private constant MAX_HEALTH = MAX_CAPACITY * WAD;

    function _requireBounded(uint256 collateral, uint256 price, uint256 scale, uint256 bps) private pure {
        require(collateral <= MAX_AMOUNT && price <= MAX_PRICE && scale >= 1 && scale <= 1e18 && bps <= BPS);
    }

    function _requirePricedForHealth(uint256 collateral, uint256 price, uint256 scale, uint256 bps) private pure {
        _requireBounded(collateral, price, scale, bps);
        require(price <= MAX_HEALTH_PRICE);
    }

    /// @custom:property HLT-01 Collateral is valued exactly, rounded down by less than one unit.
    function valueIsExactRoundedDown(uint256 collateral, uint256 price, uint256 scale) external pure {
        _requireBounded(collateral, price, scale, 0);
        uint256 value = HealthLib.valueDown(collateral, price, scale);
        assert(value * scale <= collateral * price);
        assert(value * scale + scale > collateral * price);
    }

    /// @custom:property HLT-02 Collateral never carries more debt than it is worth.
    function capacityIsWithinTheValue(uint256 collateral, uint256 price, uint256 scale, uint256 factorBps)
        external
        pure
    {
        _requireBounded(collateral, price, scale, factorBps);
        uint256 capacity = HealthLib.capacityDown(collateral, price, scale, factorBps);
        assert(capacity <= HealthLib.valueDown(collateral, price, scale));
    }

    /// @custom:property HLT-03 Capacity never falls with the price.
    function capacityGrowsWithThePrice(uint256 collateral, uint256 low, uint256 high, uint256 scale, uint256 factorBps)
        external
        pure
    {
        _requireBounded(collateral, high, scale, factorBps);
        require(low <= high);
        assert(
            HealthLib.capacityDown(collateral, low, scale, factorBps)
                <= HealthLib.capacityDown(collateral, high, scale, factorBps)
        );
    }

    /// @custom:property HLT-04 Capacity never falls with the collateral.
    function capacityGrowsWithTheCollateral(uint256 less, uint256 more, uint256 price, uint256 scale, uint256 factorBps)
        external
        pure
    {
        _requireBounded(more, price, scale, factorBps);
        require(less <= more);
        assert(
            HealthLib.capacityDown(less, price, scale, factorBps)
                <= HealthLib.capacityDown(more, price, scale, factorBps)
        );
    }

    /// @custom:property HLT-05 Capacity never falls with the factor.
    function capacityGrowsWithTheFactor(uint256 collateral, uint256 price, uint256 scale, uint256 low, uint256 high)
        external
        pure
    {
        _requireBounded(collateral, price, scale, high);
        require(low <= high);
        assert(
            HealthLib.capacityDown(collateral, price, scale, low)
                <= HealthLib.capacityDown(collateral, price, scale, high)
        );
    }

    /// @custom:property HLT-06 Health never falls with the price.
    /// @custom:from HLT-03 HLT-20
    function healthGrowsWithThePrice(uint256 less, uint256 more, uint256 debt, uint256 worse, uint256 better)
        external
        pure
    {
        // HLT-03: a higher price has no smaller capacity.
        require(less <= more && more <= MAX_CAPACITY);
        // HLT-20: what is known of either health.
        require(debt >= 1 && debt <= MAX_AMOUNT && worse <= MAX_HEALTH && better <= MAX_HEALTH);
        require(worse * debt <= less * WAD && better * debt + debt > more * WAD);
        assert(worse <= better);
    }

    /// @custom:property HLT-07 Health never falls with the collateral.
    function healthGrowsWithTheCollateral(
        uint256 less,
        uint256 more,
        uint256 price,
        uint256 scale,
        uint256 thresholdBps,
        uint256 debt
    ) external pure {
        _requirePricedForHealth(more, price, scale, thresholdBps);
        require(less <= more && debt <= MAX_AMOUNT);
        assert(
            HealthLib.healthFactorDown(less, price, scale, thresholdBps, debt)
                <= HealthLib.healthFactorDown(more, price, scale, thresholdBps, debt)
        );
    }

    /// @custom:property HLT-08 Health never rises with the debt.
    /// @custom:from HLT-20
    function healthFallsWithTheDebt(uint256 capacity, uint256 less, uint256 more, uint256 better, uint256 worse)
        external
        pure
    {
        require(capacity <= MAX_CAPACITY && less >= 1 && less <= more && more <= MAX_AMOUNT);
        // HLT-20: what is known of either health.
        require(worse <= MAX_HEALTH && better <= MAX_HEALTH);
        require(better * less + less > capacity * WAD && worse * more <= capacity * WAD);
        assert(worse <= better);
    }

    /// @custom:property HLT-09 A loan is healthy exactly when its debt is within the capacity at the threshold.
    /// @custom:from HLT-20
    function healthyMeansWithinCapacity(uint256 capacity, uint256 debt, uint256 health) external pure {
        require(capacity <= MAX_CAPACITY && debt >= 1 && debt <= MAX_AMOUNT && health <= MAX_HEALTH);
        // HLT-20: what is known of the health.
        require(health * debt <= capacity * WAD && health * debt + debt > capacity * WAD);
        assert(health < WAD || debt <= capacity);
        assert(health >= WAD || debt > capacity);
    }

    /// @custom:property HLT-10 What may be borrowed at the collateral factor is healthy at a threshold no lower.
    function freshLoanIsHealthy(
        uint256 collateral,
        uint256 price,
        uint256 scale,
        uint256 factorBps,
        uint256 thresholdBps,
        uint256 debt
    ) external pure {
        _requirePricedForHealth(collateral, price, scale, thresholdBps);
        require(factorBps <= thresholdBps);
        require(debt <= HealthLib.capacityDown(collateral, price, scale, factorBps));
        assert(HealthLib.healthFactorDown(collateral, price, scale, thresholdBps, debt) >= WAD);
    }

    /// @custom:property HLT-11 A loan without debt can never be realized.
    function noDebtIsHealthy(uint256 collateral, uint256 price, uint256 scale, uint256 thresholdBps) external pure {
        _requirePricedForHealth(collateral, price, scale, thresholdBps);
        assert(HealthLib.healthFactorDown(collateral, price, scale, thresholdBps, 0) == type(uint256).max);
    }

    /// @custom:property HLT-12 One realization claims at most the debt and at least the close factor's part of it.
    function closablePartIsItsShare(uint256 debt, uint256 closeFactorBps) external pure {
        require(debt <= MAX_AMOUNT && closeFactorBps <= BPS);
        uint256 closable = HealthLib.closableDebtUp(debt, closeFactorBps);
        assert(closable <= debt);
        assert(closable * BPS >= debt * closeFactorBps && closable * BPS < debt * closeFactorBps + BPS);
    }

    /// @custom:property HLT-13 A realization of a loan with debt always claims something.
    function closablePartIsNotNothing(uint256 debt, uint256 closeFactorBps) external pure {
        require(debt >= 1 && debt <= MAX_AMOUNT && closeFactorBps >= 1 && closeFactorBps <= BPS);
        assert(HealthLib.closableDebtUp(debt, closeFactorBps) >= 1);
        assert(HealthLib.closableDebtUp(debt, BPS) == debt);
    }

    /// @custom:property HLT-14 Collateral taken for a claim covers the claim and its penalty, by less than one unit more.
    function takenCollateralCoversTheClaim(uint256 claim, uint256 penaltyBps, uint256 price, uint256 scale)
        external
        pure
    {
        _requireBounded(claim, price, scale, penaltyBps);
        require(price >= 1);
        uint256 taken = HealthLib.collateralForClaimUp(claim, penaltyBps, price, scale);
        assert(taken * (BPS * price) >= claim * (BPS + penaltyBps) * scale);
        assert(taken * (BPS * price) < claim * (BPS + penaltyBps) * scale + BPS * price);
    }

    /// @custom:property HLT-15 The claim that collateral covers never takes more than that collateral.
    function coveredClaimTakesNoMore(uint256 collateral, uint256 penaltyBps, uint256 price, uint256 scale)
        external
        pure
    {
        _requireBounded(collateral, price, scale, penaltyBps);
        require(price >= 1);
        uint256 claim = HealthLib.claimForCollateralDown(collateral, penaltyBps, price, scale);
        assert(HealthLib.collateralForClaimUp(claim, penaltyBps, price, scale) <= collateral);
    }

    /// @custom:property HLT-16 Collateral taken for a claim always covers that claim again.
    function takenCollateralBringsTheClaimBack(uint256 claim, uint256 penaltyBps, uint256 price, uint256 scale)
        external
        pure
    {
        _requireBounded(claim, price, scale, penaltyBps);
        require(price >= 1);
        uint256 taken = HealthLib.collateralForClaimUp(claim, penaltyBps, price, scale);
        assert(HealthLib.claimForCollateralDown(taken, penaltyBps, price, scale) >= claim);
    }

    /// @custom:property HLT-17 The claim that collateral covers is never more than the collateral is worth.
    function coveredClaimIsWithinTheValue(uint256 collateral, uint256 penaltyBps, uint256 price, uint256 scale)
        external
        pure
    {
        _requireBounded(collateral, price, scale, penaltyBps);
        uint256 claim = HealthLib.claimForCollateralDown(collateral, penaltyBps, price, scale);
        assert(claim <= HealthLib.valueDown(collateral, price, scale));
    }

    /// @custom:property HLT-18 A higher price never takes more collateral for the same claim.
    function takenCollateralFallsWithThePrice(
        uint256 claim,
        uint256 penaltyBps,
        uint256 low,
        uint256 high,
        uint256 scale
    ) external pure {
        _requireBounded(claim, high, scale, penaltyBps);
        require(low >= 1 && low <= high);
        assert(
            HealthLib.collateralForClaimUp(claim, penaltyBps, high, scale)
                <= HealthLib.collateralForClaimUp(claim, penaltyBps, low, scale)
        );
    }

    /// @custom:property HLT-19 No value, capacity, part or claim reverts for amounts and prices of 104 bits.
    /// @custom:targets overflow underflow divByZero
    function nothingReverts(uint256 collateral, uint256 price, uint256 scale, uint256 bps, uint256 debt) external pure {
        _requireBounded(collateral, price, scale, bps);
        require(debt <= MAX_AMOUNT && price >= 1);
        HealthLib.capacityDown(collateral, price, scale, bps);
        HealthLib.closableDebtUp(debt, bps);
        HealthLib.collateralForClaimUp(debt, bps, price, scale);
        HealthLib.claimForCollateralDown(collateral, bps, price, scale);
    }

    /// @custom:property HLT-20 Health is capacity at the threshold over debt, rounded down by less than one.
    /// @custom:division native
    function healthIsExactRoundedDown(
        uint256 collateral,
        uint256 price,
        uint256 scale,
        uint256 thresholdBps,
        uint256 debt
    ) external pure {
        _requirePricedForHealth(collateral, price, scale, thresholdBps);
        require(debt >= 1 && debt <= MAX_AMOUNT);
        uint256 capacity = HealthLib.capacityDown(collateral, price, scale, thresholdBps);
        uint256 health = HealthLib.healthFactorDown(collateral, price, scale, thresholdBps, debt);
        assert(health * debt <= capacity * WAD);
        require(health * debt <= capacity * WAD);
        assert(health * debt + debt > capacity * WAD);
    }

    /// @custom:property HLT-21 No health reverts for amounts of 104 and prices of 92 bits.
    /// @custom:targets overflow underflow divByZero
    function noHealthReverts(uint256 collateral, uint256 price, uint256 scale, uint256 thresholdBps, uint256 debt)
        external
        pure
    {
        _requirePricedForHealth(collateral, price, scale, thresholdBps);
        require(debt <= MAX_AMOUNT);
        HealthLib.healthFactorDown(collateral, price, scale, thresholdBps, debt);
    }
}
