// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SharesLib} from "../src/lending/libraries/SharesLib.sol";

/// @notice What holds for every conversion between shares and assets. Rounding is never the caller's gain.
contract SharesLibProofs {
    uint256 private constant MAX_AMOUNT = type(uint104).max;
    uint256 private constant MAX_SHARES = type(uint128).max;
    uint256 private constant MAX_OFFSET = 1e18;

    function _requirePool(uint256 totalAssets, uint256 totalShares, uint256 offset) private pure {
        require(totalAssets <= MAX_AMOUNT && totalShares <= MAX_SHARES && offset >= 1 && offset <= MAX_OFFSET);
    }

    /// @custom:property SHR-01 Shares for an amount are never worth more than the amount.
    function sharesAreNotWorthMoreThanPaid(uint256 paid, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(paid <= MAX_AMOUNT);
        uint256 shares = SharesLib.toSharesDown(paid, totalAssets, totalShares, offset);
        assert(SharesLib.toAssetsDown(shares, totalAssets, totalShares, offset) <= paid);
    }

    /// @custom:property SHR-02 Assets for shares never buy back more shares.
    function assetsDoNotBuyMoreShares(uint256 burnt, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(burnt <= totalShares);
        uint256 assets = SharesLib.toAssetsDown(burnt, totalAssets, totalShares, offset);
        assert(SharesLib.toSharesDown(assets, totalAssets, totalShares, offset) <= burnt);
    }

    /// @custom:property SHR-03 A deposit that is withdrawn at once brings no profit.
    function depositAndWithdrawIsNoProfit(uint256 paid, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(paid <= MAX_AMOUNT);
        uint256 shares = SharesLib.toSharesDown(paid, totalAssets, totalShares, offset);
        assert(SharesLib.toAssetsDown(shares, totalAssets + paid, totalShares + shares, offset) <= paid);
    }

    /// @custom:property SHR-04 A withdrawal that is deposited again at once brings no further shares.
    function withdrawAndDepositIsNoProfit(uint256 burnt, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(burnt <= totalShares);
        uint256 assets = SharesLib.toAssetsDown(burnt, totalAssets, totalShares, offset);
        require(assets <= totalAssets);
        assert(SharesLib.toSharesDown(assets, totalAssets - assets, totalShares - burnt, offset) <= burnt);
    }

    /// @custom:property SHR-05 A deposit never lowers the price of a share.
    function depositKeepsThePrice(uint256 paid, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(paid <= MAX_AMOUNT);
        uint256 shares = SharesLib.toSharesDown(paid, totalAssets, totalShares, offset);
        assert((totalAssets + paid + 1) * (totalShares + offset) >= (totalAssets + 1) * (totalShares + shares + offset));
    }

    /// @custom:property SHR-06 A withdrawal never lowers the price of the shares that stay.
    function withdrawalKeepsThePrice(uint256 burnt, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(burnt <= totalShares);
        uint256 assets = SharesLib.toAssetsDown(burnt, totalAssets, totalShares, offset);
        require(assets <= totalAssets);
        assert(
            (totalAssets - assets + 1) * (totalShares + offset) >= (totalAssets + 1) * (totalShares - burnt + offset)
        );
    }

    /// @custom:property SHR-07 All shares together are never worth more than the pool.
    function sharesAreNotWorthMoreThanThePool(uint256 burnt, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(burnt <= totalShares);
        assert(SharesLib.toAssetsDown(burnt, totalAssets, totalShares, offset) <= totalAssets);
    }

    /// @custom:property SHR-08 The first deposit into an empty pool gets exactly `offset` shares a unit.
    function firstDepositIsExact(uint256 paid, uint256 offset) external pure {
        _requirePool(0, 0, offset);
        require(paid <= MAX_AMOUNT);
        uint256 shares = SharesLib.toSharesDown(paid, 0, 0, offset);
        assert(shares == paid * offset);
        assert(SharesLib.toAssetsDown(shares, paid, shares, offset) == paid);
    }

    /// @custom:property SHR-09 While a share is worth at most one unit, no deposit is so small that it gets no share.
    function noDepositGetsNothing(uint256 paid, uint256 totalAssets, uint256 totalShares, uint256 offset)
        external
        pure
    {
        _requirePool(totalAssets, totalShares, offset);
        require(paid >= 1 && paid <= MAX_AMOUNT && totalAssets + 1 <= totalShares + offset);
        assert(SharesLib.toSharesDown(paid, totalAssets, totalShares, offset) >= 1);
    }

    /// @custom:property SHR-10 A larger deposit never gets fewer shares.
    function sharesGrowWithTheDeposit(
        uint256 less,
        uint256 more,
        uint256 totalAssets,
        uint256 totalShares,
        uint256 offset
    ) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(less <= more && more <= MAX_AMOUNT);
        assert(
            SharesLib.toSharesDown(less, totalAssets, totalShares, offset)
                <= SharesLib.toSharesDown(more, totalAssets, totalShares, offset)
        );
    }

    /// @custom:property SHR-11 More shares are never worth less.
    function assetsGrowWithTheShares(
        uint256 fewer,
        uint256 more,
        uint256 totalAssets,
        uint256 totalShares,
        uint256 offset
    ) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(fewer <= more && more <= totalShares);
        assert(
            SharesLib.toAssetsDown(fewer, totalAssets, totalShares, offset)
                <= SharesLib.toAssetsDown(more, totalAssets, totalShares, offset)
        );
    }

    /// @custom:property SHR-12 Converting in two pieces never gives more shares than at once.
    function piecesGetNoMoreShares(
        uint256 first,
        uint256 second,
        uint256 totalAssets,
        uint256 totalShares,
        uint256 offset
    ) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(first <= MAX_AMOUNT && second <= MAX_AMOUNT);
        uint256 pieces = SharesLib.toSharesDown(first, totalAssets, totalShares, offset)
            + SharesLib.toSharesDown(second, totalAssets, totalShares, offset);
        assert(pieces <= SharesLib.toSharesDown(first + second, totalAssets, totalShares, offset));
    }

    /// @custom:property SHR-13 Income never lowers what shares are worth.
    function incomeKeepsTheWorth(
        uint256 shares,
        uint256 income,
        uint256 totalAssets,
        uint256 totalShares,
        uint256 offset
    ) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(shares <= totalShares && income <= MAX_AMOUNT);
        assert(
            SharesLib.toAssetsDown(shares, totalAssets, totalShares, offset)
                <= SharesLib.toAssetsDown(shares, totalAssets + income, totalShares, offset)
        );
    }

    /// @custom:property SHR-14 An empty pool, and one whose shares kept their issue price, is not wiped out.
    function healthyPoolIsNotWipedOut(uint256 totalAssets, uint256 totalShares, uint256 offset) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(totalShares == 0 || totalAssets * offset >= totalShares);
        assert(!SharesLib.isWipedOut(totalAssets, totalShares, offset));
    }

    /// @custom:property SHR-15 In a wiped-out pool all shares together lost more than 99.9999 % of their issue price.
    function wipedOutPoolIsWorthNothing(uint256 totalAssets, uint256 totalShares, uint256 offset) external pure {
        _requirePool(totalAssets, totalShares, offset);
        require(SharesLib.isWipedOut(totalAssets, totalShares, offset));
        uint256 worth = SharesLib.toAssetsDown(totalShares, totalAssets, totalShares, offset);
        assert(worth * offset * 1e6 < totalShares);
    }
}
