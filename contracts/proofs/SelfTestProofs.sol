// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AuctionPriceLib} from "../src/lending/libraries/AuctionPriceLib.sol";
import {FeeSplitLib} from "../src/lending/libraries/FeeSplitLib.sol";
import {SharesLib} from "../src/lending/libraries/SharesLib.sol";
import {WaterfallLib} from "../src/lending/libraries/WaterfallLib.sol";

/// @notice False on purpose: a prover that accepts one of these proves nothing.
contract SelfTestProofs {
    uint256 private constant MAX_AMOUNT = type(uint104).max;

    /// @custom:property SELF-01 Providers never get less of more interest.
    /// @custom:expect refuted
    function providersNeverFall(uint256 interest) external pure {
        require(interest >= 110 && interest <= 120);
        (,,,, uint256 providers) = FeeSplitLib.splitInterest(interest, 0);
        (,,,, uint256 providers2) = FeeSplitLib.splitInterest(interest + 1, 0);
        assert(providers <= providers2);
    }

    /// @custom:property SELF-02 A deposit and its withdrawal give back exactly what was paid.
    /// @custom:expect refuted
    function roundTripIsExact(uint256 paid, uint256 totalAssets, uint256 totalShares) external pure {
        require(paid <= MAX_AMOUNT && totalAssets <= MAX_AMOUNT && totalShares <= MAX_AMOUNT);
        uint256 shares = SharesLib.toSharesDown(paid, totalAssets, totalShares, 1);
        assert(SharesLib.toAssetsDown(shares, totalAssets, totalShares, 1) == paid);
    }

    /// @custom:property SELF-03 Every deposit into a pool with income gets a share.
    /// @custom:expect refuted
    function everyDepositGetsAShare(uint256 totalAssets, uint256 totalShares) external pure {
        require(totalAssets <= MAX_AMOUNT && totalShares <= MAX_AMOUNT);
        assert(SharesLib.toSharesDown(1, totalAssets, totalShares, 1) >= 1);
    }

    /// @custom:property SELF-04 The price of an auction always falls.
    /// @custom:expect refuted
    function priceAlwaysFalls(uint256 oraclePrice, uint256 elapsed) external pure {
        require(oraclePrice <= MAX_AMOUNT && elapsed < 100);
        assert(
            AuctionPriceLib.priceUp(oraclePrice, 11_000, 9_000, elapsed, 100)
                > AuctionPriceLib.priceUp(oraclePrice, 11_000, 9_000, elapsed + 1, 100)
        );
    }

    /// @custom:property SELF-05 A loan that is paid leaves its borrower a surplus.
    /// @custom:expect refuted
    function paidLoanMeansASurplus(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        require(cash <= MAX_AMOUNT);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.surplus != 0 || legs.debtApplied != rooms.loanDebt);
    }

    /// @custom:property SELF-06 An amount that is not bounded is split without a revert.
    /// @custom:targets overflow
    /// @custom:expect refuted
    function unboundedAmountOverflows(uint256 interest) external pure {
        FeeSplitLib.splitInterest(interest, 0);
    }

    /// @custom:property SELF-07 What no input satisfies is not proved.
    /// @custom:expect vacuous
    function contradictionProvesNothing(uint256 fee) external pure {
        require(fee <= MAX_AMOUNT);
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        require(operator > infrastructure);
        assert(distributor > infrastructure);
    }
}
