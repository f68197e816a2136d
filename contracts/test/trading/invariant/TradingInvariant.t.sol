// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";
import {TradingHandler} from "./TradingHandler.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

contract TradingInvariantTest is TradingVaultTest, InvariantTest {
    TradingHandler private handler;

    function setUp() public override {
        super.setUp();
        handler = new TradingHandler(vault, StockLikeToken(address(token)), cash, operator);
        cash.transferOwnership(address(handler));
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](14);
        selectors[0] = handler.deposit.selector;
        selectors[1] = handler.commit.selector;
        selectors[2] = handler.request.selector;
        selectors[3] = handler.cancelRequest.selector;
        selectors[4] = handler.withdraw.selector;
        selectors[5] = handler.release.selector;
        selectors[6] = handler.autoCommit.selector;
        selectors[7] = handler.sign.selector;
        selectors[8] = handler.cancel.selector;
        selectors[9] = handler.raiseFloor.selector;
        selectors[10] = handler.wait.selector;
        selectors[11] = handler.settle.selector;
        selectors[12] = handler.trade.selector;
        selectors[13] = handler.split.selector;
        targetSelectors(address(handler), selectors);
        for (uint256 i = 0; i < 3; ++i) {
            handler.deposit(i, true, 500_000e6, true);
            handler.deposit(i, false, 5_000e18, true);
        }
    }

    function _makeToken() internal override returns (FreeToken) {
        return new StockLikeToken(18, admin);
    }

    function _splits() internal pure override returns (bool) {
        return true;
    }

    function _sum(address asset) private view returns (uint256 sum) {
        address[6] memory users =
            [seller, buyer, feeRecipient, handler.traders(0), handler.traders(1), handler.traders(2)];
        for (uint256 i = 0; i < users.length; ++i) {
            ITradingVault.AccountView memory account = vault.accountOf(users[i], asset);
            assertLe(account.requested, account.committed, "requested is a part of what is committed");
            sum += account.free + account.committed;
        }
    }

    /// Without this the invariants might hold because nothing ever settles.
    function test_handler_settlesAndIsRefused() public {
        handler.trade(0, 10e18, 1e6);
        handler.settle(0, 1, 1e18, 200e6, 0);
        assertEq(handler.settledCount(), 1);
        handler.split(2, 1);
        handler.settle(0, 1, 1e18, 100e6, 0);
        assertEq(handler.refusedCount(), 2);
        handler.trade(1, 10e18, 1e6);
        assertEq(handler.settledCount(), 2);
    }

    function invariant_balancesAreCoveredAndOrdersStayWithinWhatWasSigned() public view {
        _checkOrders();
        assertEq(_sum(address(cash)), vault.bookedOf(address(cash)), "cash is booked to the unit");
        assertEq(vault.bookedOf(address(cash)), cash.balanceOf(address(vault)), "and held");
        assertLe(_sum(address(token)), vault.bookedOf(address(token)), "shares are booked");
        assertLe(vault.bookedOf(address(token)), token.balanceOf(address(vault)), "and held");
    }

    function _checkOrders() private view {
        for (uint256 i = 0; i < handler.orderCount(); ++i) {
            Order memory order = handler.orderAt(i);
            bytes32 orderHash = handler.hashes(i);
            uint256 filled = vault.filled(order.trader, orderHash);
            assertLe(filled, order.quantity, "filled");
            uint256 allowed = Math.mulDiv(order.maxFee, filled, order.quantity, Math.Rounding.Ceil);
            assertLe(vault.feePaid(order.trader, orderHash), allowed, "fees");
            if (handler.isDead(orderHash)) assertEq(filled, handler.filledAtDeath(orderHash), "the dead stay dead");
        }
    }
}
