// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SignedOrderSettlement} from "../../../src/trading/SignedOrderSettlement.sol";
import {Fill} from "../../../src/trading/interfaces/TradingTypes.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {OrderHandler} from "./OrderHandler.sol";

/// @notice Orders between wallets, while both tokens are split, put together again, fall silent and are looked at again.
contract SettlementHandler is OrderHandler {
    SignedOrderSettlement private immutable settlement;
    address private immutable issuer;

    constructor(
        SignedOrderSettlement settlement_,
        StockLikeToken stock_,
        StockLikeToken fund_,
        address operator_,
        address issuer_
    ) OrderHandler(settlement_, stock_, fund_, operator_) {
        (settlement, issuer) = (settlement_, issuer_);
    }

    function mint(uint256 who, bool isFund, uint256 amount) external {
        StockLikeToken token = isFund ? fund : stock;
        token.mint(traders[who % 3], bound(amount, 1, isFund ? 1_000_000e6 : 10_000e18));
    }

    function wait(uint256 duration) external {
        skipTime(bound(duration, 1, 1 days));
    }

    /// @notice All holders at once, and somebody takes what rests.
    function split(bool isFund, uint256 numerator, uint256 denominator, uint256 index) external {
        StockLikeToken token = isFund ? fund : stock;
        (numerator, denominator) = (bound(numerator, 1, 4), bound(denominator, 1, 4));
        if (numerator == denominator || !_isReadable(token) || token.totalSupply() > 1e32) return;
        address[] memory holders = new address[](4);
        (holders[0], holders[1], holders[2]) = (traders[0], traders[1], traders[2]);
        holders[3] = settlement.securityOf(address(stock)).feeRecipient;
        token.split(numerator, denominator, holders);
        _changed(token);
        take(index, 1e18);
    }

    /// @notice Back to 1:1, which is where everything began.
    function undo(bool isFund) external {
        StockLikeToken token = isFund ? fund : stock;
        if (!_isReadable(token)) return;
        (uint256 numerator, uint256 denominator) = _ratio(token);
        if (numerator == denominator) return;
        token.setRatio(1, 1);
        _changed(token);
    }

    function silence(bool isFund, bool isSilent) external {
        (isFund ? fund : stock).setSplitSilent(isSilent);
    }

    function refresh() external {
        vm.prank(issuer);
        settlement.refreshSecurity(address(stock));
    }

    /* INTERNAL */

    /// @dev The venue is made to see it: what is undone unseen means the same shares as before.
    function _changed(StockLikeToken token) private {
        ++_changes[address(token)];
        settlement.syncSplit(address(token));
    }

    function _settleOne(Fill memory fill) internal override returns (bool) {
        Fill[] memory fills = new Fill[](1);
        fills[0] = fill;
        vm.prank(operator);
        (uint256 settled,) = settlement.batchSettleTrades("batch", fills, 1);
        return settled == 1;
    }

    function _wealth(address trader, address token) internal view override returns (uint256) {
        return StockLikeToken(token).balanceOf(trader);
    }
}
