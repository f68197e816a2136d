// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Somebody is in a vault only while something happens that pays its holders, with a hundred times their money.
contract PassingDepositorAttackTest is LendingTest {
    uint256 private constant INVESTED = 100_000e6;
    uint256 private constant PASSING = 10_000_000e6;

    LendingVault private vault;
    address private alice = makeAddress("alice");
    address private visitor = makeAddress("visitor");
    address private distributor = makeAddress("distributor");

    /// The vault is the pool: all that the market earns or loses is its holders'.
    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, type(uint128).max);
        vm.prank(admin);
        market.registerVault(address(vault));
        vm.startPrank(lender);
        market.removeLiquidity(market.sharesOf(lender));
        vm.stopPrank();
        _deposit(alice, INVESTED, distributor);
        vm.prank(lender);
        vault.supply(address(market), INVESTED);
        skipTime(3 days);
        _setPrice(PRICE);
    }

    function test_attack_collectingTheFeesOfOthers() public {
        // 1. A loan runs for half a year and pays its interest: the distributors' part waits in the market.
        uint256 loanId = _openLoan(1_000e18, 70_000e6);
        skipTime(180 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        uint256 due = market.distributorFeesPayable(address(vault));
        assertGt(due, 100e6);
        // 2. The visitor deposits, its own distributor, and collects.
        _deposit(visitor, PASSING, visitor);
        try vault.collectDistributorFees(address(market)) {} catch {}
        // 3. It leaves and is paid as a distributor: what it has beyond its deposit is rounding.
        _leave();
        try vault.payDistributor(visitor) {} catch {}
        _assertGainedNothing();
        assertApproxEqAbs(vault.distributorFeesOf(distributor), due, 1);
    }

    function test_attack_bidForThePenalty() public {
        // 1. Half of a loan is in auction; whoever bids for all of it pays 1,750 of penalty to the pool.
        _wireVenue();
        uint256 loanId = _openLoan(1_000e18, 70_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        skipTime(30 minutes);
        // 2. The visitor deposits, lets the auction close, and leaves.
        uint256 value = vault.totalAssets();
        _deposit(visitor, PASSING, address(0));
        vm.prank(buyer);
        venue.bidOnAuction(1, 500e18, type(uint256).max);
        assertGe(vault.totalAssets(), value + PASSING + 1_750e6);
        _leave();
        _assertGainedNothing();
    }

    function test_attack_arriveForTheLateRecovery() public {
        // 1. A claim of 35,000 is written off: the one who is invested bears it.
        uint256 loanId = _openLoan(1_000e18, 70_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        skipTime(7 days + 1);
        vm.prank(admin);
        market.handleLiquidationTimeout(id);
        // 2. The sale brings 36,750 after all. The visitor deposits before and leaves after.
        uint256 value = vault.totalAssets();
        _deposit(visitor, PASSING, address(0));
        _sellAndSettle(1, 36_750e6);
        assertApproxEqAbs(vault.totalAssets(), value + PASSING + 36_750e6, 100);
        _leave();
        _assertGainedNothing();
    }

    function _deposit(address holder, uint256 amount, address through) private {
        _give(holder, amount);
        vm.startPrank(holder);
        cash.approve(address(vault), amount);
        vault.deposit(amount, through);
        vm.stopPrank();
    }

    /// Takes out what there is, if the vault lets it: first in the same second, then within the hour.
    function _leave() private {
        uint256 shares = vault.balanceOf(visitor);
        vm.prank(visitor);
        try vault.redeem(shares) {
            return;
        } catch {}
        skipTime(1 hours);
        vm.prank(visitor);
        try vault.redeem(shares) {} catch {}
    }

    function _assertGainedNothing() private view {
        assertLe(cash.balanceOf(visitor), PASSING + 1, "gained in passing");
    }
}
