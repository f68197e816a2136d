// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FeeSplitLib} from "../src/lending/libraries/FeeSplitLib.sol";

/// @notice What holds for every split of interest and of flat fees.
contract FeeSplitLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_AMOUNT = type(uint128).max;
    uint256 private constant PROVIDERS_PART = 8_500 * 8_700;

    /// @custom:property FEE-01 The five legs of a split add up to the interest.
    /// @custom:witness 1_000_003, 500
    function legsAddUp(uint256 interest, uint256 insuranceBps) external pure {
        require(interest <= MAX_AMOUNT && insuranceBps <= BPS);
        (uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers) =
            FeeSplitLib.splitInterest(interest, insuranceBps);
        assert(infrastructure + operator + distributor + insurance + providers == interest);
    }

    /// @custom:property FEE-02 Infrastructure takes 15 % of the interest, less than one unit rounded off.
    /// @custom:witness 1_000_003, 500
    function infrastructureIsItsShare(uint256 interest, uint256 insuranceBps) external pure {
        require(interest <= MAX_AMOUNT && insuranceBps <= BPS);
        (uint256 infrastructure,,,,) = FeeSplitLib.splitInterest(interest, insuranceBps);
        assert(infrastructure * BPS <= interest * 1_500);
        assert((infrastructure + 1) * BPS > interest * 1_500);
    }

    /// @custom:property FEE-03 Operator and distributor take 8 % and 5 % of what infrastructure left, never more.
    /// @custom:witness 1_000_003, 500
    function operatorAndDistributorAreTheirShares(uint256 interest, uint256 insuranceBps) external pure {
        require(interest <= MAX_AMOUNT && insuranceBps <= BPS);
        (uint256 infrastructure, uint256 operator, uint256 distributor,,) =
            FeeSplitLib.splitInterest(interest, insuranceBps);
        uint256 remainder = interest - infrastructure;
        assert(operator * BPS <= remainder * 800 && (operator + 1) * BPS > remainder * 800);
        assert(distributor * BPS <= remainder * 500 && (distributor + 1) * BPS > remainder * 500);
    }

    /// @custom:property FEE-04 Insurance never takes more than its share of what the other fees left.
    /// @custom:witness 1_000_003, 500
    function insuranceIsItsShare(uint256 interest, uint256 insuranceBps) external pure {
        require(interest <= MAX_AMOUNT && insuranceBps <= BPS);
        (,,, uint256 insurance, uint256 providers) = FeeSplitLib.splitInterest(interest, insuranceBps);
        assert(insurance * BPS <= (insurance + providers) * insuranceBps);
    }

    /// @custom:property FEE-05 Providers get at least their exact part of the interest: rounding is theirs.
    /// @custom:witness 1_000_003, 500
    function providersGetAtLeastTheirPart(uint256 interest, uint256 insuranceBps) external pure {
        require(interest <= MAX_AMOUNT && insuranceBps <= BPS);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(interest, insuranceBps);
        assert(providers * BPS * BPS * BPS >= interest * PROVIDERS_PART * (BPS - insuranceBps));
    }

    /// @custom:property FEE-06 More interest never shrinks a fee.
    /// @custom:witness 1_000_003, 2_000_001, 500
    function feesNeverFall(uint256 less, uint256 more, uint256 insuranceBps) external pure {
        require(less <= more && more <= MAX_AMOUNT && insuranceBps <= BPS);
        (uint256 infrastructure, uint256 operator, uint256 distributor,,) =
            FeeSplitLib.splitInterest(less, insuranceBps);
        (uint256 infrastructure2, uint256 operator2, uint256 distributor2,,) =
            FeeSplitLib.splitInterest(more, insuranceBps);
        assert(infrastructure <= infrastructure2);
        assert(operator <= operator2 && distributor <= distributor2);
    }

    /// @custom:property FEE-07 More interest never costs the providers more than one unit of rounding.
    /// @custom:witness 1_000_003, 2_000_001, 500
    function providersFallByAtMostOne(uint256 less, uint256 more, uint256 insuranceBps) external pure {
        require(less <= more && more <= MAX_AMOUNT && insuranceBps <= BPS);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(less, insuranceBps);
        (,,,, uint256 providers2) = FeeSplitLib.splitInterest(more, insuranceBps);
        assert(providers <= providers2 + 1);
    }

    /// @custom:property FEE-07x Providers never get less of more interest.
    /// @custom:witness 1_000_003, 2_000_001, 500
    function providersNeverFall(uint256 less, uint256 more, uint256 insuranceBps) external pure {
        require(less <= more && more <= MAX_AMOUNT && insuranceBps == 0);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(less, insuranceBps);
        (,,,, uint256 providers2) = FeeSplitLib.splitInterest(more, insuranceBps);
        assert(providers <= providers2);
    }

    /// @custom:property FEE-08 Interest that is carried is never worth more than the pieces that pay it.
    /// @custom:witness 1_000_003, 2_000_001, 500
    function carriedInterestIsPaidByPieces(uint256 first, uint256 second, uint256 insuranceBps) external pure {
        require(first <= MAX_AMOUNT && second <= MAX_AMOUNT && insuranceBps <= BPS);
        uint256 carried = FeeSplitLib.providersPartDown(first + second, insuranceBps);
        (,,,, uint256 paid) = FeeSplitLib.splitInterest(first, insuranceBps);
        uint256 left = FeeSplitLib.providersPartDown(second, insuranceBps);
        assert(paid + left >= carried);
    }
}
