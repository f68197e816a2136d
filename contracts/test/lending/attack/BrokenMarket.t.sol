// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault, MarketCap} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {CredulousFactory, StubbornMarket} from "../../support/hostile/VaultMarkets.sol";

/// @notice A market of a vault stops answering, or somebody wants it to look so.
contract BrokenMarketAttackTest is LendingTest {
    bytes private constant REVERTS = hex"5f5ffd";
    bytes private constant EATS_GAS = hex"fe";
    /// @dev Answers 1, and 100,000 bytes behind it.
    bytes private constant ANSWERS_WITHOUT_END = hex"60015f52620186a05ff3";

    LendingVault private vault;
    address private alice = makeAddress("alice");
    address private distributor = makeAddress("distributor");

    /// 400,000 of one investor, 300,000 of them in the market.
    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, 300_000e6);
        vm.prank(admin);
        market.registerVault(address(vault));
        _deposit(vault, alice, 400_000e6, distributor);
        vm.prank(lender);
        vault.supply(address(market), 300_000e6);
        skipTime(3 days);
        _setPrice(PRICE);
    }

    /* A MARKET THAT DOES NOT ANSWER */

    function test_redeem_isPaidFromTheRestWhenAMarketReverts() public {
        _redeemWith(REVERTS);
    }

    function test_redeem_isPaidFromTheRestWhenAMarketEatsGas() public {
        _redeemWith(EATS_GAS);
    }

    function test_redeem_isPaidFromTheRestWhenAMarketAnswersWithoutEnd() public {
        _redeemWith(ANSWERS_WITHOUT_END);
    }

    function test_deposit_isRefusedWhileNobodyKnowsThePrice() public {
        // 1. With the market at nothing a share would cost a quarter: a newcomer would have three quarters for nothing.
        bytes memory code = address(market).code;
        vm.etch(address(market), REVERTS);
        _give(stranger, 400_000e6);
        vm.startPrank(stranger);
        cash.approve(address(vault), type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketUnreadable.selector, address(market)));
        vault.deposit(400_000e6, address(0));
        assertEq(vault.unreadableMarkets()[0], address(market));
        // 2. When it answers again, deposits go on at the right price.
        vm.etch(address(market), code);
        assertEq(vault.unreadableMarkets().length, 0);
        assertApproxEqAbs(vault.deposit(400_000e6, address(0)), 400_000e6, 1);
        vm.stopPrank();
    }

    function test_remove_writesOffWhatIsThereAndACapBringsItBack() public {
        // 1. The market is dead, and off the list at once.
        bytes memory code = address(market).code;
        vm.etch(address(market), EATS_GAS);
        vm.prank(lender);
        vm.expectEmit(address(vault));
        emit ILendingVault.MarketRemoved(address(market), true);
        vault.removeMarket(address(market));
        assertEq(vault.totalAssets(), 100_000e6);
        _deposit(vault, stranger, 100_000e6, address(0));
        assertApproxEqAbs(vault.balanceOf(stranger), 400_000e6, 4);
        // 2. It comes to life. Its value counts when a cap was announced and set: everybody saw it come.
        vm.etch(address(market), code);
        assertEq(vault.totalAssets(), 200_000e6);
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(market)));
        vault.withdraw(address(market), 1);
        vault.announceDrawCap(address(market), 1);
        skipTime(14 days);
        vault.setDrawCap(address(market), 1);
        vm.stopPrank();
        assertEq(vault.totalAssets(), 500_000e6);
    }

    /* A MARKET THAT WAS GIVEN TOO LITTLE GAS */

    function test_starved_noMarketIsTakenForBroken() public {
        uint256 shares = vault.balanceOf(alice) / 2;
        uint256 refused;
        for (uint256 given = 60_000; given < 900_000; given += 7_001) {
            uint256 state = vm.snapshotState();
            vm.prank(alice);
            try vault.redeem{gas: given}(shares) returns (uint256 amount) {
                assertApproxEqAbs(amount, 200_000e6, 1);
            } catch {
                ++refused;
            }
            vm.prank(lender);
            try vault.removeMarket{gas: given}(address(market)) {
                assertTrue(false, "written off for want of gas");
            } catch {}
            vm.revertToStateAndDelete(state);
        }
        assertGt(refused, 0);
        assertLt(refused, 100);
    }

    function test_starved_noFeesAreLeftBehind() public {
        // 1. Fees wait in the market.
        uint256 loanId = _openLoan(10_000e18, 700_000e6);
        skipTime(100 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        uint256 due = market.distributorFeesPayable(address(vault));
        _give(stranger, 1_000_000e6);
        vm.prank(stranger);
        cash.approve(address(vault), type(uint256).max);
        // 2. Whatever gas a newcomer gives: no deposit, or one behind the fees.
        uint256 accepted;
        for (uint256 given = 60_000; given < 900_000; given += 7_001) {
            uint256 state = vm.snapshotState();
            vm.prank(stranger);
            try vault.deposit{gas: given}(1_000_000e6, stranger) {
                ++accepted;
                assertApproxEqAbs(vault.distributorFeesOf(distributor), due, 1);
            } catch {}
            vm.revertToStateAndDelete(state);
        }
        assertGt(accepted, 0);
    }

    /* A MARKET THAT ANSWERS AND DOES NOT PAY */

    function test_stubborn_newcomersWaitForItsFeesAndLeaversDoNot() public {
        (LendingVault own, StubbornMarket stubborn) = _stubbornWorld();
        stubborn.setFees(1_000e6);
        _give(address(stubborn), 1_000e6);
        stubborn.setStubborn(true);
        bytes memory refusal = abi.encodeWithSelector(ILendingVault.FeesNotCollected.selector, address(stubborn));
        // 1. Fees that could be made to wait for one transaction would be the newcomer's.
        _give(stranger, 1_000e6);
        vm.startPrank(stranger);
        cash.approve(address(own), type(uint256).max);
        vm.expectRevert(refusal);
        own.deposit(1_000e6, stranger);
        vm.stopPrank();
        // 2. Or of the distributor to whom shares are transferred; within one distributor nothing changes.
        vm.startPrank(alice);
        vm.expectRevert(refusal);
        own.transfer(stranger, 1e6);
        own.transfer(alice, 1e6);
        // 3. Nobody is kept from leaving, with what is not in that market.
        assertEq(own.redeem(150_000e6), 100_000e6);
        vm.stopPrank();
        // 4. It pays again.
        stubborn.setStubborn(false);
        uint256 left = own.balanceOf(alice);
        vm.prank(alice);
        assertEq(own.redeem(left), 300_000e6);
        assertApproxEqAbs(own.distributorFeesOf(distributor), 1_000e6, 1);
    }

    function _stubbornWorld() private returns (LendingVault own, StubbornMarket stubborn) {
        stubborn = new StubbornMarket(address(cash), lender);
        MarketCap[] memory caps = new MarketCap[](1);
        caps[0] = MarketCap(address(stubborn), 300_000e6);
        own = new LendingVault("V", "V", address(cash), lender, address(new CredulousFactory()), caps);
        _deposit(own, alice, 400_000e6, distributor);
        vm.prank(lender);
        own.supply(address(stubborn), 300_000e6);
        skipTime(3 days);
    }

    function _redeemWith(bytes memory code) private {
        vm.etch(address(market), code);
        uint256 shares = vault.balanceOf(alice) / 2;
        vm.prank(alice);
        uint256 amount = vault.redeem{gas: 2_000_000}(shares);
        assertApproxEqAbs(amount, 50_000e6, 1);
        assertEq(vault.totalAssets(), 100_000e6 - amount);
        assertEq(vault.drawableFor(address(market)), 0);
    }

    function _deposit(LendingVault into, address holder, uint256 amount, address through) private {
        _give(holder, amount);
        vm.startPrank(holder);
        cash.approve(address(into), type(uint256).max);
        into.deposit(amount, through);
        vm.stopPrank();
    }
}
