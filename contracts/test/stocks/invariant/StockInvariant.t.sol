// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {StockTest} from "../support/StockTest.sol";
import {StockHandler} from "./StockHandler.sol";

contract StockInvariantTest is StockTest, InvariantTest {
    StockHandler private handler;
    FreezeAdapter private adapter;

    function setUp() public override {
        super.setUp();
        address dave = makeAddress("dave");
        address router = makeAddress("router");
        address other = makeAddress("other sub-issuer");
        registry.verify(dave);
        registry.verify(router);
        registry.verify(subIssuer);
        registry.verify(other);
        handler = new StockHandler(
            stock,
            registry,
            router,
            StockHandler.Cast(issuer, controller, agent, legalOperator, [subIssuer, other], [alice, bob, carol, dave])
        );
        adapter = handler.adapter();
        vm.startPrank(issuer);
        stock.addSubIssuer(other);
        stock.addAgent(address(adapter));
        vm.stopPrank();
        targetContract(address(handler));
    }

    /// Also in the middle of a split.
    function invariant_supplyIsTheSumOfTheHoldersBalances() public view {
        assertBooksAgree();
    }

    function invariant_freezesAddUpAndStayWithinTheBalance() public view {
        address[] memory wallets = handler.wallets();
        for (uint256 i = 0; i < wallets.length; ++i) {
            uint256 sum = stock.frozenBy(address(0), wallets[i]) + stock.frozenBy(agent, wallets[i])
                + stock.frozenBy(address(adapter), wallets[i]);
            assertEq(stock.getFrozenTokens(wallets[i]), sum);
            assertLe(sum, stock.balanceOf(wallets[i]));
            assertLe(stock.surplusOf(agent, wallets[i]), stock.frozenBy(agent, wallets[i]));
            assertEq(stock.surplusOf(address(0), wallets[i]), 0);
        }
    }

    function invariant_subIssuersStayWithinTheirCaps() public view {
        if (stock.splitHoldersLeft() != 0) return;
        StockHandler.Cast memory cast = handler.cast();
        for (uint256 i = 0; i < 2; ++i) {
            address account = cast.subIssuers[i];
            assertEq(stock.subIssuerOutstanding(account), handler.outstanding(account), "outstanding");
            assertEq(stock.subIssuerCap(account), handler.cap(account), "cap");
        }
    }

    /// Issuers redeem, controllers force, agents force and recover, each with an event of its own. Nobody else lowers a
    /// balance that its holder did not move: not a sub-issuer, not the legal operator, no other holder.
    function invariant_nobodyElseTakesWhatAHolderDidNotMove() public view {
        assertEq(handler.thefts(), 0);
    }

    /// A pledge is broken only by shares that left the wallet.
    function invariant_whatWasBrokenWasMoved() public view {
        address[] memory wallets = handler.wallets();
        for (uint256 i = 0; i < wallets.length; ++i) {
            uint256 broken =
                stock.brokenPledgeOf(address(adapter), wallets[i]) + stock.brokenPledgeOf(agent, wallets[i]);
            assertLe(broken, handler.forcedOut(wallets[i]));
        }
    }

    /// Nobody but a controller takes anything of what the adapter counts as pledged.
    function invariant_pledgesSurviveAllButControllers() public view {
        address[] memory wallets = handler.wallets();
        for (uint256 i = 0; i < wallets.length; ++i) {
            uint256 counted = adapter.lockedOf(wallets[i]) + adapter.deferredReleaseOf(wallets[i]);
            uint256 frozen = stock.frozenBy(address(adapter), wallets[i]);
            if (handler.isBroken(wallets[i])) {
                assertGe(frozen + stock.brokenPledgeOf(address(adapter), wallets[i]), counted);
            } else {
                assertEq(frozen - stock.surplusOf(address(adapter), wallets[i]), counted);
            }
        }
    }
}
