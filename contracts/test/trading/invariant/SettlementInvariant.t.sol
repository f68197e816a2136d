// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {InvariantTest} from "../../support/InvariantTest.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {SettlementHandler} from "./SettlementHandler.sol";

/// @notice What holds after any sequence of fills, cancellations, nonce floors, silences and splits of both tokens.
contract SettlementInvariantTest is SettlementTest, InvariantTest {
    address private issuer = makeAddress("issuer");
    StockLikeToken private stock;
    StockLikeToken private fund;
    SettlementHandler private handler;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, issuer);
        fund = new StockLikeToken(6, issuer);
        stock.setController(address(settlement), true);
        _openMarket(address(stock), issuer);
        vm.prank(issuer);
        settlement.setQuoteAsset(address(stock), address(fund), true);
        handler = new SettlementHandler(settlement, stock, fund, operator, issuer);
        for (uint256 i = 0; i < 3; ++i) {
            handler.mint(i, true, 500_000e6);
            handler.mint(i, false, 5_000e18);
        }
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](12);
        selectors[0] = handler.mint.selector;
        selectors[1] = handler.wait.selector;
        selectors[2] = handler.split.selector;
        selectors[3] = handler.undo.selector;
        selectors[4] = handler.silence.selector;
        selectors[5] = handler.refresh.selector;
        selectors[6] = handler.sign.selector;
        selectors[7] = handler.cancel.selector;
        selectors[8] = handler.raiseFloor.selector;
        selectors[9] = handler.settle.selector;
        selectors[10] = handler.take.selector;
        selectors[11] = handler.trade.selector;
        targetSelectors(address(handler), selectors);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    /// Without this the invariants might hold because nothing ever settles.
    function test_handler_settlesAndIsRefused() public {
        handler.trade(0, 10e18, 1e6);
        assertEq(handler.settledCount(), 1);
        handler.sign(0, false, 10e18, 100e6, 0, 1 days);
        handler.take(2, 1e18);
        assertEq(handler.settledCount(), 2);
        handler.split(true, 4, 1, 2);
        assertEq(handler.refusedCount(), 1);
        handler.undo(true);
        handler.take(2, 1e18);
        assertEq(handler.refusedCount(), 2);
        handler.trade(1, 10e18, 1e6);
        assertEq(handler.settledCount(), 3);
    }

    function invariant_nobodyPaysMoreThanSigned() public view {
        assertEq(handler.paidTooMuch(), 0);
    }

    function invariant_nobodyGetsLessThanSigned() public view {
        assertEq(handler.gotTooLittle(), 0);
    }

    function invariant_theDeadStayDead() public view {
        assertEq(handler.deadOrdersFilled(), 0);
    }

    function invariant_noOrderFillsBeyondItsQuantity() public view {
        assertEq(handler.overfilled(), 0);
    }

    function invariant_noOrderPaysMoreThanItsPartOfTheFee() public view {
        assertEq(handler.feesAbovePart(), 0);
    }

    function invariant_theContractHoldsNothing() public view {
        assertEq(stock.balanceOf(address(settlement)) + fund.balanceOf(address(settlement)), 0);
    }
}
