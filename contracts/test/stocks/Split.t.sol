// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "./support/StockTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract StockSplitTest is StockTest {
    function test_stockSplit_goesForwardOnly() public {
        vm.startPrank(issuer);
        _expectInvalid(1, 1);
        stock.stockSplit(1, 1, 10);
        _expectInvalid(1, 2);
        stock.stockSplit(1, 2, 10);
        _expectInvalid(1, 0);
        stock.stockSplit(1, 0, 10);
        _expectInvalid(1 << 32, 1);
        stock.stockSplit(1 << 32, 1, 10);
        stock.pause();
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.stockSplit(2, 1, 10);
        stock.unpause();
        stock.issue(carol, type(uint96).max / 2, REASON);
        vm.expectPartialRevert(IStockToken.SupplyTooLarge.selector);
        stock.stockSplit(2, 1, 10);
        vm.expectRevert(IStockToken.NoSplitUnderWay.selector);
        stock.continueSplit(1);
    }

    /// 1,000 and 501 at 3:2 make 1,500 and 751.5.
    function test_stockSplit_tellsAndKeepsTheFraction() public {
        vm.prank(issuer);
        stock.issue(bob, 1, REASON);
        vm.expectEmit(address(stock));
        emit IStockToken.SplitStarted(3, 2, 2);
        vm.expectEmit(address(stock));
        emit IERC20.Transfer(address(0), alice, 500);
        vm.expectEmit(address(stock));
        emit IERC20.Transfer(address(0), bob, 250);
        vm.expectEmit(address(stock));
        emit IStockToken.SplitFraction(bob, 1, 2);
        vm.expectEmit(address(stock));
        emit IStockToken.SplitContinued(2, 2);
        vm.expectEmit(address(stock));
        emit IStockToken.StockSplit(3, 2, 2_251);
        _split(3, 2);
        assertHolds(alice, 1_500, 0);
        assertHolds(bob, 751, 0);
        (uint256 remainder, uint256 denominator) = stock.splitFraction(0, bob);
        assertEq(remainder, 1);
        assertEq(denominator, 2);
        (remainder, denominator) = stock.splitFraction(0, alice);
        assertEq(remainder + denominator, 0);
        assertEq(stock.splitCount(), 1);
        assertBooksAgree();
    }

    function testFuzz_stockSplit_convertsEveryHolder(uint256[5] memory balances, uint32 numerator, uint32 denominator)
        public
    {
        denominator = uint32(bound(denominator, 1, type(uint32).max - 1));
        numerator = uint32(bound(numerator, uint256(denominator) + 1, type(uint32).max));
        vm.startPrank(issuer);
        for (uint256 i = 0; i < 5; ++i) {
            balances[i] = bound(balances[i], 1, 1e15);
            registry.verify(address(uint160(0x3000 + i)));
            stock.issue(address(uint160(0x3000 + i)), balances[i], REASON);
        }
        stock.stockSplit(numerator, denominator, 3);
        assertEq(stock.splitHoldersLeft(), 4);
        vm.stopPrank();
        vm.prank(stranger);
        assertEq(stock.continueSplit(2), 2);
        assertBooksAgree();
        (uint256 remainder,) = stock.splitFraction(0, address(0x3000));
        assertEq(remainder, balances[0] * numerator % denominator, "readable before the end");
        assertEq(stock.continueSplit(type(uint256).max), 0);
        for (uint256 i = 0; i < 5; ++i) {
            address holder = address(uint160(0x3000 + i));
            (remainder,) = stock.splitFraction(0, holder);
            assertEq(stock.balanceOf(holder) * denominator + remainder, balances[i] * numerator, "no fraction is lost");
        }
        assertBooksAgree();
    }

    function testFuzz_stockSplit_keepsFreezesWithinTheBalance(
        uint256 mine,
        uint256 theirs,
        uint256 controllers,
        uint32 numerator,
        uint32 denominator
    ) public {
        denominator = uint32(bound(denominator, 1, 1e6));
        numerator = uint32(bound(numerator, uint256(denominator) + 1, 4e9));
        mine = bound(mine, 1, 998);
        theirs = bound(theirs, 1, 999 - mine);
        controllers = bound(controllers, 1, 1_000 - mine - theirs);
        _freeze(mine, theirs, controllers);
        _split(numerator, denominator);
        assertEq(stock.frozenBy(agent, alice), mine * numerator / denominator);
        assertEq(stock.surplusOf(agent, alice), mine * numerator / denominator - mine);
        assertEq(stock.frozenBy(otherAgent, alice), theirs * numerator / denominator);
        assertEq(stock.frozenBy(address(0), alice), controllers * numerator / denominator);
        assertEq(stock.surplusOf(address(0), alice), 0);
        assertEq(
            stock.getFrozenTokens(alice),
            stock.frozenBy(agent, alice) + stock.frozenBy(otherAgent, alice) + stock.frozenBy(address(0), alice)
        );
        assertBooksAgree();
    }

    function test_splitRatio_isReducedOverAllSplits() public {
        _split(3, 2);
        _split(4, 1);
        _split(10, 9);
        (uint256 numerator, uint256 denominator) = stock.splitRatio();
        assertEq(numerator, 20);
        assertEq(denominator, 3);
    }

    /// Primes that never cancel out: the ratio stops growing before the token does.
    function test_splitRatio_cannotOverflow() public {
        vm.startPrank(issuer);
        stock.redeemFrom(alice, 999, REASON);
        stock.redeemFrom(bob, 500, REASON);
        for (uint256 i = 0; i < 4; ++i) {
            stock.stockSplit(4_294_967_291, 4_294_967_279, 10);
        }
        _expectInvalid(4_294_967_291, 4_294_967_279);
        stock.stockSplit(4_294_967_291, 4_294_967_279, 10);
        stock.stockSplit(4_294_967_279, 1, 10);
    }

    function test_stockSplit_withoutHoldersIsDoneAtOnce() public {
        vm.startPrank(issuer);
        stock.redeemFrom(alice, 1_000, REASON);
        stock.redeemFrom(bob, 500, REASON);
        stock.stockSplit(2, 1, 0);
        assertEq(stock.splitHoldersLeft(), 0);
        assertEq(stock.splitCount(), 1);
        stock.issue(alice, 1, REASON);
    }

    /* SUB-ISSUERS */

    function testFuzz_stockSplit_convertsOutstandingAndCaps(uint256 issued, uint256 cap, uint8 count) public {
        cap = bound(cap, 1, 1_000_000);
        issued = bound(issued, 1, cap);
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, cap);
        vm.prank(subIssuer);
        stock.issue(carol, issued, REASON);
        for (uint256 i = 0; i < count % 4; ++i) {
            _split(3, 2);
            issued = issued * 3 / 2;
            cap = cap * 3 / 2;
        }
        assertEq(stock.subIssuerOutstanding(subIssuer), issued);
        assertEq(stock.subIssuerCap(subIssuer), cap);
        vm.prank(carol);
        stock.approve(subIssuer, issued);
        vm.startPrank(subIssuer);
        stock.redeemFrom(carol, issued, REASON);
        stock.issue(carol, cap, REASON);
        vm.expectPartialRevert(IStockToken.SubIssuerCapExceeded.selector);
        stock.issue(carol, 1, REASON);
    }

    function test_stockSplit_leavesAnEndlessCapEndless() public {
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, type(uint256).max);
        _split(7, 3);
        assertEq(stock.subIssuerCap(subIssuer), type(uint256).max);
    }

    /// A counter of shares that are long gone stops at its largest.
    function test_stockSplit_countsWithoutOverflow() public {
        vm.prank(subIssuer);
        stock.issue(carol, 1e28, REASON);
        vm.startPrank(issuer);
        stock.redeemFrom(carol, 1e28, REASON);
        stock.redeemFrom(alice, 1_000, REASON);
        stock.redeemFrom(bob, 500, REASON);
        for (uint256 i = 0; i < 3; ++i) {
            stock.stockSplit(type(uint32).max, 1, 1);
        }
        assertEq(stock.subIssuerOutstanding(subIssuer), type(uint128).max);
        vm.stopPrank();
        vm.prank(subIssuer);
        stock.issue(carol, 1, REASON);
        assertEq(stock.subIssuerOutstanding(subIssuer), type(uint128).max);
    }

    /* WHAT SPLITS ADD TO A PLEDGE */

    function test_releaseSurplus_waitsForThePledge() public {
        _freeze(300, 100, 0);
        _split(2, 1);
        assertHolds(alice, 2_000, 800);
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.PledgeStands.selector, agent, alice, 300));
        stock.releaseSurplus(agent, alice, 300);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.releaseSurplus(agent, alice, 0);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, bob, 0, 1));
        stock.releaseSurplus(agent, bob, 1);
        vm.stopPrank();
        vm.prank(agent);
        stock.unfreezePartialTokens(alice, 300);
        assertEq(stock.surplusOf(agent, alice), 300);
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 300, 301));
        stock.releaseSurplus(agent, alice, 301);
        vm.expectEmit(address(stock));
        emit IStockToken.SurplusReleased(agent, alice, 300);
        stock.releaseSurplus(agent, alice, 300);
        assertHolds(alice, 2_000, 200);
        assertEq(stock.frozenBy(otherAgent, alice), 200);
    }

    function test_unfreeze_byTheAgentReachesTheSurplusToo() public {
        _freeze(300, 100, 0);
        _split(2, 1);
        vm.startPrank(agent);
        stock.unfreezePartialTokens(alice, 400);
        assertEq(stock.surplusOf(agent, alice), 200);
        assertEq(stock.frozenBy(agent, alice), 200);
        stock.freezePartialTokens(alice, 50);
        assertEq(stock.surplusOf(agent, alice), 200);
        stock.unfreezePartialTokens(alice, 250);
        assertHolds(alice, 2_000, 200);
    }

    /// Every agent's surplus goes before any agent's pledge.
    function test_forceTransfer_takesSurplusBeforePledges() public {
        _freeze(600, 400, 0);
        _split(2, 1);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 1_000, REASON);
        assertEq(stock.frozenBy(agent, alice), 600);
        assertEq(stock.frozenBy(otherAgent, alice), 400);
        assertEq(stock.surplusOf(agent, alice) + stock.surplusOf(otherAgent, alice), 0);
        assertEq(stock.brokenPledgeOf(agent, alice) + stock.brokenPledgeOf(otherAgent, alice), 0);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 500, REASON);
        assertEq(stock.brokenPledgeOf(otherAgent, alice), 400);
        assertEq(stock.brokenPledgeOf(agent, alice), 100);
        assertHolds(alice, 500, 500);
    }

    function _freeze(uint256 mine, uint256 theirs, uint256 controllers) private {
        vm.prank(agent);
        stock.freezePartialTokens(alice, mine);
        vm.prank(otherAgent);
        stock.freezePartialTokens(alice, theirs);
        if (controllers == 0) return;
        vm.prank(controller);
        stock.freezeTokens(alice, controllers);
    }

    function _expectInvalid(uint256 numerator, uint256 denominator) private {
        vm.expectRevert(abi.encodeWithSelector(IStockToken.InvalidRatio.selector, numerator, denominator));
    }
}
