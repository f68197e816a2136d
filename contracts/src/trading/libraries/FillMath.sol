// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../interfaces/ISignedOrders.sol";

/// @notice Amounts of a fill.
library FillMath {
    /// @dev An amount of which rounding took a unit is at least this many units.
    uint256 internal constant COARSEST = 1_000;

    /// @notice What the quantity costs, rounded down: against the seller, by less than a thousandth.
    function quoteAmountDown(uint256 quantity, uint256 price, uint256 baseUnit) internal pure returns (uint256 amount) {
        uint256 product = quantity * price;
        amount = product / baseUnit;
        bool isExact = product % baseUnit == 0;
        require(amount != 0 && (isExact || amount >= COARSEST), ISignedOrders.FillTooSmall(quantity, price));
    }

    /// @notice The part of the signed maximum that belongs to the part filled, rounded up.
    function feeAllowedUp(uint256 maxFee, uint256 filled, uint256 quantity) internal pure returns (uint256) {
        // No order pays more than fits its books, whatever it signed.
        if (maxFee > type(uint120).max) maxFee = type(uint120).max;
        uint256 product = maxFee * filled;
        return product == 0 ? 0 : (product - 1) / quantity + 1;
    }

    /// @notice Who pays and gets what. What the buyer pays is what the other two get.
    function legs(uint256 quoteAmount, bool makerIsBuyer, int256 makerFee, uint256 takerFee)
        internal
        pure
        returns (uint256 buyerPays, uint256 sellerGets, uint256 feeGets)
    {
        (uint256 charge, uint256 rebate) = splitSign(makerFee);
        require(rebate <= takerFee, ISignedOrders.RebateAboveFee(rebate, takerFee));
        feeGets = takerFee + charge - rebate;
        if (makerIsBuyer) {
            require(takerFee <= quoteAmount, ISignedOrders.FeeAboveProceeds(takerFee, quoteAmount));
            sellerGets = quoteAmount - takerFee;
        } else {
            require(charge <= quoteAmount, ISignedOrders.FeeAboveProceeds(charge, quoteAmount));
            sellerGets = quoteAmount + rebate - charge;
        }
        buyerPays = sellerGets + feeGets;
    }

    /// @return charge What the maker pays.
    /// @return rebate What the maker is paid.
    function splitSign(int256 makerFee) internal pure returns (uint256 charge, uint256 rebate) {
        // forge-lint: disable-next-line(unsafe-typecast)
        if (makerFee >= 0) return (uint256(makerFee), 0);
        // The lowest number has no positive counterpart.
        require(makerFee != type(int256).min, ISignedOrders.RebateAboveFee(type(uint256).max, 0));
        // forge-lint: disable-next-line(unsafe-typecast)
        return (0, uint256(-makerFee));
    }
}
