// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Account, CONTROLLERS, Freeze, MAX_SUPPLY, Ratio, StockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Converts every holder's shares, page by page. Nothing can come between: all that is checked, is checked at
/// the start, so no holder can make it fail later.
library SplitModule {
    function start(StockStorage storage s, uint256 numerator, uint256 denominator, uint256 maxHolders) external {
        require(
            denominator != 0 && numerator > denominator && numerator <= type(uint32).max,
            IStockToken.InvalidRatio(numerator, denominator)
        );
        // No balance ends above what the whole supply would.
        uint256 supply = uint256(s.totalSupply) * numerator / denominator;
        require(supply <= MAX_SUPPLY, IStockToken.SupplyTooLarge(supply, MAX_SUPPLY));
        _cumulated(s, numerator, denominator);
        // forge-lint: disable-next-line(unsafe-typecast)
        s.ratio = Ratio(uint32(numerator), uint32(denominator));
        (s.isSplitting, s.nextHolder) = (true, 0);
        emit IStockToken.SplitStarted(numerator, denominator, s.holders.length);
        _proceed(s, maxHolders);
    }

    function proceed(StockStorage storage s, uint256 maxHolders) external returns (uint256 left) {
        require(s.isSplitting, IStockToken.NoSplitUnderWay());
        return _proceed(s, maxHolders);
    }

    /* INTERNAL */

    function _proceed(StockStorage storage s, uint256 maxHolders) private returns (uint256 left) {
        Ratio memory ratio = s.ratio;
        uint256 count = s.holders.length;
        uint256 next = s.nextHolder;
        uint256 end = maxHolders < count - next ? next + maxHolders : count;
        uint256 added;
        for (; next < end; ++next) {
            added += _convert(s, ratio, s.holders[next]);
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        (s.totalSupply, s.nextHolder) = (s.totalSupply + uint96(added), uint32(end));
        emit IStockToken.SplitContinued(end, count);
        left = count - end;
        if (left != 0) return left;
        s.isSplitting = false;
        (s.cumulativeNumerator, s.cumulativeDenominator) = _cumulated(s, ratio.numerator, ratio.denominator);
        s.splits.push(ratio);
        emit IStockToken.StockSplit(ratio.numerator, ratio.denominator, s.totalSupply);
    }

    function _convert(StockStorage storage s, Ratio memory ratio, address holder) private returns (uint256 added) {
        Account storage account = s.accounts[holder];
        uint256 product = uint256(account.balance) * ratio.numerator;
        added = product / ratio.denominator - account.balance;
        uint256 remainder = product % ratio.denominator;
        // forge-lint: disable-next-line(unsafe-typecast)
        account.balance += uint96(added);
        if (account.freezeCount != 0) _convertFreezes(s, ratio, holder, account);
        emit IERC20.Transfer(address(0), holder, added);
        if (remainder == 0) return added;
        s.remainders[s.splits.length][holder] = remainder;
        emit IStockToken.SplitFraction(holder, remainder, ratio.denominator);
    }

    /// @dev Rounded down one by one, so their sum stays within the balance.
    function _convertFreezes(StockStorage storage s, Ratio memory ratio, address holder, Account storage account)
        private
    {
        uint256 sum;
        for (uint256 i = account.freezeCount; i > 0; --i) {
            Freeze storage entry = s.freezes[holder][i];
            uint256 added = uint256(entry.amount) * ratio.numerator / ratio.denominator - entry.amount;
            if (added == 0) continue;
            // forge-lint: disable-next-line(unsafe-typecast)
            entry.amount += uint96(added);
            // forge-lint: disable-next-line(unsafe-typecast)
            if (entry.agent != CONTROLLERS) entry.surplus += uint96(added);
            sum += added;
        }
        if (sum == 0) return;
        // forge-lint: disable-next-line(unsafe-typecast)
        account.frozen += uint96(sum);
        emit IStockToken.TokensFrozen(holder, sum);
    }

    function _cumulated(StockStorage storage s, uint256 numerator, uint256 denominator)
        private
        view
        returns (uint128, uint128)
    {
        uint256 all = uint256(s.cumulativeNumerator) * numerator;
        uint256 by = uint256(s.cumulativeDenominator) * denominator;
        uint256 divisor = _commonDivisor(all, by);
        (all, by) = (all / divisor, by / divisor);
        require(all <= type(uint128).max && by <= type(uint128).max, IStockToken.InvalidRatio(numerator, denominator));
        // forge-lint: disable-next-line(unsafe-typecast)
        return (uint128(all), uint128(by));
    }

    function _commonDivisor(uint256 a, uint256 b) private pure returns (uint256) {
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }
}
