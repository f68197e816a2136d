// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FillMath} from "../src/trading/libraries/FillMath.sol";

/// @notice What holds for the amounts of every fill.
contract FillMathProofs {
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    uint256 private constant MAX_FEE = type(uint120).max;
    uint256 private constant MAX_UNIT = 1e30;

    /// @custom:property FIL-01 What the buyer pays is what the seller and the fee recipient get.
    function legsAddUp(uint256 quoteAmount, bool makerIsBuyer, int256 makerFee, uint256 takerFee) external pure {
        require(quoteAmount <= MAX_AMOUNT && takerFee <= MAX_FEE);
        require(makerFee <= int256(MAX_FEE) && makerFee >= -int256(MAX_FEE));
        (uint256 buyerPays, uint256 sellerGets, uint256 feeGets) =
            FillMath.legs(quoteAmount, makerIsBuyer, makerFee, takerFee);
        assert(buyerPays == sellerGets + feeGets);
    }

    /// @custom:property FIL-02 The buyer pays the amount and its own fee, less its own rebate, and nothing else.
    function buyerPaysItsOwnFee(uint256 quoteAmount, bool makerIsBuyer, int256 makerFee, uint256 takerFee)
        external
        pure
    {
        require(quoteAmount <= MAX_AMOUNT && takerFee <= MAX_FEE);
        require(makerFee <= int256(MAX_FEE) && makerFee >= -int256(MAX_FEE));
        (uint256 buyerPays,,) = FillMath.legs(quoteAmount, makerIsBuyer, makerFee, takerFee);
        int256 fee = makerIsBuyer ? makerFee : int256(takerFee);
        assert(int256(buyerPays) == int256(quoteAmount) + fee);
    }

    /// @custom:property FIL-03 The seller gets the amount less its own fee, or with its own rebate, and nothing less.
    function sellerPaysItsOwnFee(uint256 quoteAmount, bool makerIsBuyer, int256 makerFee, uint256 takerFee)
        external
        pure
    {
        require(quoteAmount <= MAX_AMOUNT && takerFee <= MAX_FEE);
        require(makerFee <= int256(MAX_FEE) && makerFee >= -int256(MAX_FEE));
        (, uint256 sellerGets,) = FillMath.legs(quoteAmount, makerIsBuyer, makerFee, takerFee);
        int256 fee = makerIsBuyer ? int256(takerFee) : makerFee;
        assert(int256(sellerGets) == int256(quoteAmount) - fee);
    }

    /// @custom:property FIL-04 A rebate never costs the fee recipient more than the taker's fee brings.
    function rebateIsPaidByTheTaker(uint256 quoteAmount, bool makerIsBuyer, int256 makerFee, uint256 takerFee)
        external
        pure
    {
        require(quoteAmount <= MAX_AMOUNT && takerFee <= MAX_FEE);
        require(makerFee < 0 && makerFee >= -int256(MAX_FEE));
        (,, uint256 feeGets) = FillMath.legs(quoteAmount, makerIsBuyer, makerFee, takerFee);
        assert(feeGets + uint256(-makerFee) == takerFee);
    }

    /// @custom:property FIL-05 The amount of a fill is rounded down, by less than one unit.
    function amountRoundsDown(uint256 quantity, uint256 price, uint256 baseUnit) external pure {
        require(quantity <= MAX_AMOUNT && price <= MAX_AMOUNT && baseUnit != 0 && baseUnit <= MAX_UNIT);
        uint256 amount = FillMath.quoteAmountDown(quantity, price, baseUnit);
        assert(amount * baseUnit <= quantity * price);
        assert(quantity * price - amount * baseUnit < baseUnit);
    }

    /// @custom:property FIL-06 Rounding takes less than a thousandth from the seller, and no fill is for nothing.
    function roundingIsSmall(uint256 quantity, uint256 price, uint256 baseUnit) external pure {
        require(quantity <= MAX_AMOUNT && price <= MAX_AMOUNT && baseUnit != 0 && baseUnit <= MAX_UNIT);
        uint256 amount = FillMath.quoteAmountDown(quantity, price, baseUnit);
        assert(amount != 0);
        assert(amount * baseUnit == quantity * price || amount >= 1_000);
    }

    /// @custom:property FIL-07 An order that is filled whole has at most its maximum to pay, and all of it.
    function wholeFeeForTheWhole(uint256 maxFee, uint256 quantity) external pure {
        require(maxFee <= MAX_FEE && quantity != 0 && quantity <= MAX_AMOUNT);
        assert(FillMath.feeAllowedUp(maxFee, quantity, quantity) == maxFee);
    }

    /// @custom:property FIL-08 A part has its part of the maximum to pay, rounded up by less than one unit.
    function partOfTheFeeForAPart(uint256 maxFee, uint256 filled, uint256 quantity) external pure {
        require(maxFee <= MAX_FEE && filled <= quantity && quantity != 0 && quantity <= MAX_AMOUNT);
        uint256 allowed = FillMath.feeAllowedUp(maxFee, filled, quantity);
        assert(allowed * quantity >= maxFee * filled);
        assert(allowed * quantity < maxFee * filled + quantity);
    }

    /// @custom:property FIL-09 What an order may have paid never falls as it fills.
    function feeNeverFalls(uint256 maxFee, uint256 less, uint256 more, uint256 quantity) external pure {
        require(maxFee <= MAX_FEE && less <= more && more <= quantity && quantity != 0 && quantity <= MAX_AMOUNT);
        assert(FillMath.feeAllowedUp(maxFee, less, quantity) <= FillMath.feeAllowedUp(maxFee, more, quantity));
    }

    /// @custom:property FIL-10 A maximum beyond any fee allows no more than fits the books.
    function hugeFeesAreCut(uint256 maxFee, uint256 quantity) external pure {
        require(quantity != 0 && quantity <= MAX_AMOUNT);
        assert(FillMath.feeAllowedUp(maxFee, quantity, quantity) <= MAX_FEE);
    }
}
