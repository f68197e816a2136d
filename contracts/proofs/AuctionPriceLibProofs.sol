// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AuctionPriceLib} from "../src/lending/libraries/AuctionPriceLib.sol";

/// @notice What holds for the price of every Dutch auction.
contract AuctionPriceLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_PRICE = type(uint128).max;
    uint256 private constant MAX_AMOUNT = type(uint104).max;

    function _requireAuction(uint256 oraclePrice, uint256 startBps, uint256 floorBps, uint256 duration) private pure {
        require(oraclePrice <= MAX_PRICE && floorBps <= startBps && startBps <= type(uint16).max);
        require(duration <= type(uint24).max);
    }

    /// @custom:property AUC-01 The price starts at the start premium, rounded up by less than one unit.
    function startsAtThePremium(uint256 oraclePrice, uint256 startBps, uint256 floorBps, uint256 duration)
        external
        pure
    {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        require(duration >= 1);
        uint256 price = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, 0, duration);
        assert(price * BPS >= oraclePrice * startBps);
        assert(price * BPS < oraclePrice * startBps + BPS);
    }

    /// @custom:property AUC-02 From the end on the price is the floor.
    function endsAtTheFloor(uint256 oraclePrice, uint256 startBps, uint256 floorBps, uint256 elapsed, uint256 duration)
        external
        pure
    {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        require(elapsed >= duration);
        uint256 price = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, elapsed, duration);
        assert(price == AuctionPriceLib.floorPriceUp(oraclePrice, floorBps));
    }

    /// @custom:property AUC-03 The price is never below the floor while the auction runs.
    function neverBelowTheFloor(
        uint256 oraclePrice,
        uint256 startBps,
        uint256 floorBps,
        uint256 elapsed,
        uint256 duration
    ) external pure {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        require(elapsed < duration);
        uint256 price = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, elapsed, duration);
        assert(price >= AuctionPriceLib.floorPriceUp(oraclePrice, floorBps));
    }

    /// @custom:property AUC-04 The price is never above the start.
    function neverAboveTheStart(
        uint256 oraclePrice,
        uint256 startBps,
        uint256 floorBps,
        uint256 elapsed,
        uint256 duration
    ) external pure {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        uint256 price = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, elapsed, duration);
        assert(price <= AuctionPriceLib.floorPriceUp(oraclePrice, startBps));
    }

    /// @custom:property AUC-05 The price never rises while the auction runs.
    function neverRises(
        uint256 oraclePrice,
        uint256 startBps,
        uint256 floorBps,
        uint256 early,
        uint256 late,
        uint256 duration
    ) external pure {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        require(early <= late && late < duration);
        uint256 whole = BPS * duration;
        uint256 earlyExact = oraclePrice * (startBps * duration - (startBps - floorBps) * early);
        uint256 lateExact = oraclePrice * (startBps * duration - (startBps - floorBps) * late);
        assert(earlyExact >= lateExact);
        require(earlyExact >= lateExact);
        uint256 earlyPrice = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, early, duration);
        assert(earlyPrice * whole >= earlyExact);
        require(earlyPrice * whole >= earlyExact);
        uint256 latePrice = AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, late, duration);
        assert(latePrice * whole < lateExact + whole);
        require(latePrice * whole < lateExact + whole);
        assert(earlyPrice >= latePrice);
    }

    /// @custom:property AUC-06 A higher oracle price never sells cheaper while the auction runs.
    function growsWithTheOraclePrice(
        uint256 low,
        uint256 high,
        uint256 startBps,
        uint256 floorBps,
        uint256 elapsed,
        uint256 duration
    ) external pure {
        _requireAuction(high, startBps, floorBps, duration);
        require(low <= high && elapsed < duration);
        uint256 whole = BPS * duration;
        uint256 lowExact = low * (startBps * duration - (startBps - floorBps) * elapsed);
        uint256 highExact = high * (startBps * duration - (startBps - floorBps) * elapsed);
        assert(lowExact <= highExact);
        require(lowExact <= highExact);
        uint256 lowPrice = AuctionPriceLib.priceUp(low, startBps, floorBps, elapsed, duration);
        assert(lowPrice * whole < lowExact + whole);
        require(lowPrice * whole < lowExact + whole);
        uint256 highPrice = AuctionPriceLib.priceUp(high, startBps, floorBps, elapsed, duration);
        assert(highPrice * whole >= highExact);
        require(highPrice * whole >= highExact);
        assert(lowPrice <= highPrice);
    }

    /// @custom:property AUC-14 A higher oracle price never has a lower floor.
    function floorGrowsWithTheOraclePrice(uint256 low, uint256 high, uint256 floorBps) external pure {
        _requireAuction(high, floorBps, floorBps, 0);
        require(low <= high);
        assert(AuctionPriceLib.floorPriceUp(low, floorBps) <= AuctionPriceLib.floorPriceUp(high, floorBps));
    }

    /// @custom:property AUC-07 Without a discount the price stands still.
    function flatAuctionStandsStill(uint256 oraclePrice, uint256 startBps, uint256 elapsed, uint256 duration)
        external
        pure
    {
        _requireAuction(oraclePrice, startBps, startBps, duration);
        uint256 price = AuctionPriceLib.priceUp(oraclePrice, startBps, startBps, elapsed, duration);
        assert(price == AuctionPriceLib.floorPriceUp(oraclePrice, startBps));
    }

    /// @custom:property AUC-08 The floor price is the exact part of the oracle price, rounded up by less than one unit.
    function floorIsExactRoundedUp(uint256 oraclePrice, uint256 floorBps) external pure {
        _requireAuction(oraclePrice, floorBps, floorBps, 0);
        uint256 floor = AuctionPriceLib.floorPriceUp(oraclePrice, floorBps);
        assert(floor * BPS >= oraclePrice * floorBps && floor * BPS < oraclePrice * floorBps + BPS);
    }

    /// @custom:property AUC-09 A bidder pays the exact cost, rounded up by less than one unit.
    function costIsExactRoundedUp(uint256 amount, uint256 price, uint256 scale) external pure {
        require(amount <= MAX_AMOUNT && price <= MAX_PRICE && scale >= 1 && scale <= 1e18);
        uint256 cost = AuctionPriceLib.costUp(amount, price, scale);
        assert(cost * scale >= amount * price);
        assert(cost * scale < amount * price + scale);
    }

    /// @custom:property AUC-10 No collateral is sold for nothing.
    function nothingIsFree(uint256 amount, uint256 price, uint256 scale) external pure {
        require(amount >= 1 && amount <= MAX_AMOUNT && price >= 1 && price <= MAX_PRICE && scale >= 1 && scale <= 1e18);
        assert(AuctionPriceLib.costUp(amount, price, scale) >= 1);
    }

    /// @custom:property AUC-11 Buying in two pieces is never cheaper.
    function piecesAreNoCheaper(uint256 first, uint256 second, uint256 price, uint256 scale) external pure {
        require(first <= MAX_AMOUNT && second <= MAX_AMOUNT && price <= MAX_PRICE && scale >= 1 && scale <= 1e18);
        assert(
            AuctionPriceLib.costUp(first, price, scale) + AuctionPriceLib.costUp(second, price, scale)
                >= AuctionPriceLib.costUp(first + second, price, scale)
        );
    }

    /// @custom:property AUC-12 More collateral never costs less.
    function costGrowsWithTheAmount(uint256 less, uint256 more, uint256 price, uint256 scale) external pure {
        require(less <= more && more <= MAX_AMOUNT && price <= MAX_PRICE && scale >= 1 && scale <= 1e18);
        assert(AuctionPriceLib.costUp(less, price, scale) <= AuctionPriceLib.costUp(more, price, scale));
    }

    /// @custom:property AUC-13 No price reverts for terms that the market accepts.
    /// @custom:targets overflow underflow divByZero
    function nothingReverts(uint256 oraclePrice, uint256 startBps, uint256 floorBps, uint256 elapsed, uint256 duration)
        external
        pure
    {
        _requireAuction(oraclePrice, startBps, floorBps, duration);
        AuctionPriceLib.priceUp(oraclePrice, startBps, floorBps, elapsed, duration);
    }
}
