// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FeeSplitLib} from "../src/lending/libraries/FeeSplitLib.sol";

/// @notice What holds for every split of interest and of flat fees.
contract FeeSplitLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    uint256 private constant MAX_BOOKED = type(uint136).max;
    /// @dev Of an insurance part.
    uint256 private constant WHOLE = 1e12;
    uint256 private constant PROVIDERS_PART = 8_500 * 8_700;

    /// @custom:property FEE-01 The five legs of a split add up to the interest.
    function legsAddUp(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers) =
            FeeSplitLib.splitInterest(interest, insurancePart);
        assert(infrastructure + operator + distributor + insurance + providers == interest);
    }

    /// @custom:property FEE-02 Infrastructure takes 15 % of the interest, less than one unit rounded off.
    function infrastructureIsItsShare(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (uint256 infrastructure,,,,) = FeeSplitLib.splitInterest(interest, insurancePart);
        assert(infrastructure * BPS <= interest * 1_500);
        assert((infrastructure + 1) * BPS > interest * 1_500);
    }

    /// @custom:property FEE-03 Operator and distributor take 8 % and 5 % of what infrastructure left, never more.
    function operatorAndDistributorAreTheirShares(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (uint256 infrastructure, uint256 operator, uint256 distributor,,) =
            FeeSplitLib.splitInterest(interest, insurancePart);
        uint256 remainder = interest - infrastructure;
        assert(operator * BPS <= remainder * 800 && (operator + 1) * BPS > remainder * 800);
        assert(distributor * BPS <= remainder * 500 && (distributor + 1) * BPS > remainder * 500);
    }

    /// @custom:property FEE-04 Insurance never takes more than its share of what the other fees left.
    function insuranceIsItsShare(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (,,, uint256 insurance, uint256 providers) = FeeSplitLib.splitInterest(interest, insurancePart);
        assert(insurance * WHOLE <= (insurance + providers) * insurancePart);
    }

    /// @custom:property FEE-05 Providers get at least their exact part of the interest: rounding is theirs.
    function providersGetAtLeastTheirPart(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(interest, insurancePart);
        assert(providers * BPS * BPS * WHOLE >= interest * PROVIDERS_PART * (WHOLE - insurancePart));
    }

    /// @custom:property FEE-06 More interest never shrinks a fee.
    function feesNeverFall(uint256 less, uint256 more, uint256 insurancePart) external pure {
        require(less <= more && more <= MAX_AMOUNT && insurancePart <= WHOLE);
        (uint256 infrastructure, uint256 operator, uint256 distributor,,) =
            FeeSplitLib.splitInterest(less, insurancePart);
        (uint256 infrastructure2, uint256 operator2, uint256 distributor2,,) =
            FeeSplitLib.splitInterest(more, insurancePart);
        assert(infrastructure <= infrastructure2);
        assert(operator <= operator2 && distributor <= distributor2);
    }

    /// @custom:property FEE-07 More interest never costs the providers more than one unit of rounding.
    function providersFallByAtMostOne(uint256 less, uint256 more, uint256 insurancePart) external pure {
        require(less <= more && more <= MAX_AMOUNT && insurancePart <= WHOLE);
        (,,, uint256 insurance, uint256 providers) = FeeSplitLib.splitInterest(less, insurancePart);
        (,,, uint256 insurance2, uint256 providers2) = FeeSplitLib.splitInterest(more, insurancePart);
        assert(insurance + providers <= insurance2 + providers2 + 1);
        require(insurance + providers <= insurance2 + providers2 + 1);
        assert(providers <= providers2 + 1);
    }

    /// @custom:property FEE-08 Interest that is carried is never worth more than the pieces that pay it.
    function carriedInterestIsPaidByPieces(uint256 first, uint256 second, uint256 insurancePart) external pure {
        require(first <= MAX_AMOUNT && second <= MAX_AMOUNT && insurancePart <= WHOLE);
        uint256 carried = FeeSplitLib.providersPartDown(first + second, insurancePart);
        (,,,, uint256 paid) = FeeSplitLib.splitInterest(first, insurancePart);
        uint256 left = FeeSplitLib.providersPartDown(second, insurancePart);
        assert(paid + left >= carried);
    }

    /// @custom:property FEE-09 The carried part of interest is never more than the providers get when it is paid.
    function carriedInterestIsPaidAtOnce(uint256 interest, uint256 insurancePart) external pure {
        require(interest <= MAX_AMOUNT && insurancePart <= WHOLE);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(interest, insurancePart);
        assert(FeeSplitLib.providersPartDown(interest, insurancePart) <= providers);
    }

    /// @custom:property FEE-10 The carried part of interest never falls with the interest and is at most 73.95 % of it.
    function carriedInterestGrows(uint256 less, uint256 more, uint256 insurancePart) external pure {
        require(less <= more && more <= MAX_AMOUNT && insurancePart <= WHOLE);
        uint256 carried = FeeSplitLib.providersPartDown(more, insurancePart);
        assert(FeeSplitLib.providersPartDown(less, insurancePart) <= carried);
        assert(carried * BPS <= more * 7_395);
    }

    /// @custom:property FEE-11 Without insurance its leg is empty; with all of it the providers' leg is.
    function insuranceAtItsEnds(uint256 interest) external pure {
        require(interest <= MAX_AMOUNT);
        (,,, uint256 insurance,) = FeeSplitLib.splitInterest(interest, 0);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(interest, WHOLE);
        assert(insurance == 0 && providers == 0);
    }

    /// @custom:property FEE-12 The three legs of a flat fee add up to the fee.
    function flatFeeLegsAddUp(uint256 fee) external pure {
        require(fee <= MAX_AMOUNT);
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        assert(infrastructure + operator + distributor == fee);
    }

    /// @custom:property FEE-13 Of a flat fee operator and distributor get at most 8 % and 5 %, infrastructure the rest.
    function flatFeeLegsAreTheirShares(uint256 fee) external pure {
        require(fee <= MAX_AMOUNT);
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        assert(operator * BPS <= fee * 800 && distributor * BPS <= fee * 500);
        assert(infrastructure * BPS >= fee * 8_700);
    }

    /// @custom:property FEE-14 A flat fee is the smaller of itself and 0.5 % of the amount.
    function flatFeeIsCapped(uint256 flatFee, uint256 amount) external pure {
        require(flatFee <= MAX_AMOUNT && amount <= MAX_AMOUNT);
        uint256 fee = FeeSplitLib.flatFeeDown(flatFee, amount);
        assert(fee <= flatFee && fee * BPS <= amount * 50);
        assert(fee == flatFee || (fee + 1) * BPS > amount * 50);
    }

    /// @custom:property FEE-15 A flat fee never falls with the amount.
    function flatFeeGrows(uint256 flatFee, uint256 less, uint256 more) external pure {
        require(flatFee <= MAX_AMOUNT && less <= more && more <= MAX_AMOUNT);
        assert(FeeSplitLib.flatFeeDown(flatFee, less) <= FeeSplitLib.flatFeeDown(flatFee, more));
    }

    /// @custom:property FEE-16 The fee inside a payment is at most 0.5 % of what the rest of the payment discharges.
    function feeInsidePaymentIsCapped(uint256 flatFee, uint256 payment) external pure {
        require(flatFee <= MAX_AMOUNT && payment <= MAX_AMOUNT);
        uint256 fee = FeeSplitLib.feeInsidePaymentDown(flatFee, payment);
        assert(fee <= flatFee && fee <= payment);
        assert(fee * BPS <= (payment - fee) * 50);
    }

    /// @custom:property FEE-17 A larger payment never discharges less.
    function dischargeGrowsWithThePayment(uint256 flatFee, uint256 less, uint256 more) external pure {
        require(flatFee <= MAX_AMOUNT && less <= more && more <= MAX_AMOUNT);
        uint256 discharged = less - FeeSplitLib.feeInsidePaymentDown(flatFee, less);
        assert(discharged <= more - FeeSplitLib.feeInsidePaymentDown(flatFee, more));
    }

    /// @custom:property FEE-18 No split and no fee reverts for an amount of 128 bits.
    /// @custom:targets overflow underflow divByZero
    function nothingReverts(uint256 amount, uint256 flatFee, uint256 insurancePart) external pure {
        require(amount <= MAX_AMOUNT && flatFee <= MAX_AMOUNT && insurancePart <= WHOLE);
        FeeSplitLib.splitInterest(amount, insurancePart);
        FeeSplitLib.splitFlatFee(amount);
        FeeSplitLib.providersPartDown(amount, insurancePart);
        FeeSplitLib.flatFeeDown(flatFee, amount);
        FeeSplitLib.feeInsidePaymentDown(flatFee, amount);
    }

    /// @custom:property FEE-19 Interest that comes on top never takes anything from the providers' part of what is booked.
    function meanLeavesTheProvidersTheirPart(uint256 part, uint256 booked, uint256 insuranceBps, uint256 earned)
        external
        pure
    {
        require(part <= WHOLE && insuranceBps <= BPS && booked <= MAX_BOOKED && earned <= MAX_BOOKED && earned != 0);
        uint256 mean = FeeSplitLib.meanPartDown(part, booked, insuranceBps, earned);
        assert(mean * (booked + earned) <= part * booked + insuranceBps * 1e8 * earned);
    }

    /// @custom:property FEE-20 The insurance part of interest is always one, also when it has several rates behind it.
    function meanIsAPart(uint256 part, uint256 booked, uint256 insuranceBps, uint256 earned) external pure {
        require(part <= WHOLE && insuranceBps <= BPS && booked <= MAX_BOOKED && earned <= MAX_BOOKED && earned != 0);
        uint256 mean = FeeSplitLib.meanPartDown(part, booked, insuranceBps, earned);
        assert(mean * (booked + earned) <= part * booked + insuranceBps * 1e8 * earned);
        require(mean * (booked + earned) <= part * booked + insuranceBps * 1e8 * earned);
        assert(mean <= WHOLE);
    }

    /// @custom:property FEE-21 No mean reverts for interest as wide as the pool keeps it.
    /// @custom:targets overflow underflow divByZero
    function noMeanReverts(uint256 part, uint256 booked, uint256 insuranceBps, uint256 earned) external pure {
        require(part <= WHOLE && insuranceBps <= BPS && booked <= MAX_BOOKED && earned <= MAX_BOOKED);
        FeeSplitLib.meanPartDown(part, booked, insuranceBps, earned);
    }
}
