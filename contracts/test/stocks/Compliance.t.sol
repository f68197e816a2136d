// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IComplianceModule} from "../../src/stocks/interfaces/IComplianceModule.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "./support/StockTest.sol";

contract StockComplianceTest is StockTest {
    function test_module_takesOrdersFromTheTokenAlone() public {
        assertEq(module.token(), address(stock));
        vm.startPrank(issuer);
        bytes memory refusal = abi.encodeWithSelector(IComplianceModule.NotToken.selector, issuer);
        vm.expectRevert(refusal);
        module.setDefaultLimits(1, 0);
        vm.expectRevert(refusal);
        module.setUserLimits(alice, 1, 0);
        vm.expectRevert(refusal);
        module.setLockup(alice, 0);
        vm.expectRevert(refusal);
        module.moveUser(alice, bob);
    }

    function test_limits_mustNotCross() public {
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IComplianceModule.LimitsCrossed.selector, 10, 11));
        stock.setDefaultLimits(10, 11);
        stock.setDefaultLimits(10, 0);
        vm.expectRevert(abi.encodeWithSelector(IComplianceModule.LimitsCrossed.selector, 10, 11));
        stock.setUserLimits(alice, 0, 11);
        vm.expectEmit(address(module));
        emit IComplianceModule.UserLimitsSet(alice, 20, 11);
        stock.setUserLimits(alice, 20, 11);
        vm.expectEmit(address(module));
        emit IComplianceModule.DefaultLimitsSet(0, 5);
        stock.setDefaultLimits(0, 5);
    }

    function testFuzz_limits_fallBackToTheDefaults(uint96 max, uint96 min, uint96 ownMax, uint96 ownMin) public {
        vm.assume(max == 0 || min <= max);
        vm.startPrank(issuer);
        stock.setDefaultLimits(max, min);
        (uint256 holdsMax, uint256 holdsMin) = (ownMax == 0 ? max : ownMax, ownMin == 0 ? min : ownMin);
        if (holdsMax != 0 && holdsMin > holdsMax) {
            vm.expectRevert(abi.encodeWithSelector(IComplianceModule.LimitsCrossed.selector, holdsMax, holdsMin));
            stock.setUserLimits(alice, ownMax, ownMin);
            return;
        }
        stock.setUserLimits(alice, ownMax, ownMin);
        (uint256 toldMax, uint256 toldMin) = module.getUserLimits(alice);
        assertEq(toldMax, holdsMax);
        assertEq(toldMin, holdsMin);
        (toldMax, toldMin) = module.ownLimits(alice);
        assertEq(toldMax, ownMax);
        assertEq(toldMin, ownMin);
        (toldMax, toldMin) = module.defaultLimits();
        assertEq(toldMax, max);
        assertEq(toldMin, min);
    }

    function test_maxHolding_bindsTheReceiver() public {
        vm.prank(issuer);
        stock.setDefaultLimits(600, 0);
        vm.startPrank(alice);
        stock.transfer(bob, 100);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "RECIPIENT_EXCEEDS_MAX");
        stock.transfer(bob, 1);
        stock.transfer(alice, 900);
        vm.stopPrank();
        // Beyond any supply: no limit at all.
        vm.prank(issuer);
        stock.setUserLimits(bob, type(uint256).max, 0);
        vm.prank(alice);
        stock.transfer(bob, 900);
    }

    /// Readers who know ERC-3643 only get the same answer.
    function testFuzz_canTransfer_ofTheStandardAgrees(uint256 amount) public {
        amount = bound(amount, 1, 1_000);
        vm.prank(issuer);
        stock.setDefaultLimits(800, 100);
        (IStockToken.TransferRestrictionCode code,) = stock.canTransfer(alice, bob, amount);
        bool isAllowed = code == IStockToken.TransferRestrictionCode.SUCCESS;
        assertEq(module.canTransfer(alice, bob, amount), isAllowed);
        assertEq(isAllowed, amount <= 300);
        assertEq(module.canTransfer(address(0), carol, amount), amount <= 800);
    }

    function testFuzz_minHolding_letsGoWhoLeavesAltogether(uint256 amount) public {
        amount = bound(amount, 0, 1_000);
        vm.prank(issuer);
        stock.setDefaultLimits(0, 50);
        vm.prank(alice);
        if (amount > 950 && amount < 1_000) {
            expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "BELOW_MIN_HOLDING");
        }
        stock.transfer(bob, amount);
    }

    function testFuzz_lockup_endsByTheClock(uint64 until, uint64 later) public {
        until = uint64(bound(until, block.timestamp + 1, type(uint64).max - 1));
        later = uint64(bound(later, block.timestamp, type(uint64).max - 1));
        vm.prank(issuer);
        stock.setLockup(alice, until);
        vm.warp(later);
        vm.prank(alice);
        if (later < until) {
            expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "SENDER_LOCKED");
        }
        stock.transfer(bob, 1);
    }

    function test_lockup_liesAheadOrIsCleared() public {
        vm.startPrank(issuer);
        uint64 now_ = uint64(block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IComplianceModule.LockupInThePast.selector, now_));
        stock.setLockup(alice, now_);
        vm.expectEmit(address(module));
        emit IComplianceModule.LockupSet(alice, now_ + 1);
        stock.setLockup(alice, now_ + 1);
        vm.stopPrank();
        vm.prank(bob);
        stock.transfer(alice, 1);
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "SENDER_LOCKED");
        stock.transfer(alice, 1);
        vm.prank(issuer);
        stock.setLockup(alice, 0);
        vm.prank(alice);
        stock.transfer(bob, 1);
    }
}
