// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ILiquidationRouter} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {CuratorTerms, MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract RouterRefusalsTest is LendingTest {
    function test_announce_revertsForNobody() public {
        vm.prank(admin);
        vm.expectRevert(ILiquidationRouter.SaleRecipientNotSet.selector);
        router.announceSaleRecipient(address(0));
    }

    function testFuzz_bid_neverBelowTheFloorOfTheMarket(uint256 factor) public {
        factor = bound(factor, 9_500, 9_899);
        MarketConfig memory config = market.config();
        config.auctionMinBps = 9_900;
        vm.prank(issuer);
        market.setConfig(config);
        vm.startPrank(recipient);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.SaleBidBelowFloor.selector, factor, 9_900));
        router.setSaleBid(factor, block.timestamp + 1 days);
        router.setSaleBid(9_900, block.timestamp + 1 days);
        vm.stopPrank();
    }

    function test_bid_thatFellBelowTheFloorSellsNothing() public {
        vm.prank(recipient);
        router.setSaleBid(9_500, block.timestamp + 1 days);
        vm.prank(admin);
        router.setAtomicMode(true);
        MarketConfig memory config = market.config();
        config.auctionMinBps = 9_900;
        vm.prank(issuer);
        market.setConfig(config);
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _give(recipient, 10_000e6);
        vm.prank(recipient);
        cash.approve(address(router), type(uint256).max);
        _liquidate(loanId);
        assertEq(cash.balanceOf(recipient), 10_000e6);
        assertFalse(router.liquidation(1).settled);
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.SaleBidBelowFloor.selector, 9_500, 9_900));
        router.sellPending(1);
    }
}

/// @notice The sale recipient borrows here too.
contract SelfPurchaseTest is LendingTest {
    function _terms() internal view override returns (CuratorTerms memory t) {
        t = super._terms();
        t.saleRecipient = borrower;
    }

    function test_borrower_neverBuysItsOwnCollateralAtItsBid() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        vm.startPrank(borrower);
        router.setSaleBid(9_500, block.timestamp + 1 days);
        cash.approve(address(router), type(uint256).max);
        vm.stopPrank();
        _setPrice(80e6);
        vm.prank(admin);
        router.setAtomicMode(true);
        uint256 held = token.balanceOf(borrower);
        _liquidate(loanId);
        assertEq(token.balanceOf(borrower), held);
        assertFalse(router.liquidation(1).settled);
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.SelfPurchase.selector, borrower));
        router.sellPending(1);
    }
}
