// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault, MarketCap} from "../../../src/lending/interfaces/ILendingVault.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract VaultTest is LendingTest {
    LendingVault private vault;
    address private alice = makeAddress("alice");
    address private distributor = makeAddress("distributor");

    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, 400_000e6);
        _give(alice, 500_000e6);
        vm.startPrank(alice);
        cash.approve(address(vault), type(uint256).max);
        vault.deposit(400_000e6, distributor);
        vm.stopPrank();
        vm.startPrank(admin);
        market.registerVault(address(vault));
        market.setVaultLiquidity(true);
        vm.stopPrank();
        skipTime(3 days);
        _setPrice(PRICE);
    }

    function test_register_refusals() public {
        address other = address(new DemoCash("X", "X", 6, address(this)));
        LendingVault foreign = new LendingVault("F", "F", other, lender, address(factory), new MarketCap[](0));
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.VaultAlreadyRegistered.selector, address(vault)));
        market.registerVault(address(vault));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.VaultAssetMismatch.selector, address(foreign)));
        market.registerVault(address(foreign));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.VaultNotRegistered.selector, address(foreign)));
        market.deregisterVault(address(foreign));
        for (uint256 i = 0; i < 7; ++i) {
            market.registerVault(address(_makeVault(lender)));
        }
        address ninth = address(_makeVault(lender));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooManyVaults.selector, 8));
        market.registerVault(ninth);
        address last = market.vaults()[7];
        market.deregisterVault(address(vault));
        assertEq(market.vaults()[0], last);
        vm.stopPrank();
    }

    function test_draw_fillsOnlyTheShortfall() public {
        vm.prank(issuer);
        market.setReserveRatio(5_000);
        // 500,000 may be lent; 100,000 more needs 200,000 from the vault, half of which is reserve.
        _openLoan(10_000e18, 600_000e6);
        assertEq(vault.idleAssets(), 200_000e6);
        assertEq(market.toAssets(market.sharesOf(address(vault))), 200_000e6);
        assertEq(vault.totalAssets(), 400_000e6);
        _assertSolvent();
    }

    function test_draw_stopsAtTheCapAndAFailingVaultCountsForNothing() public {
        vm.prank(lender);
        vault.setDrawCap(address(market), 10e6);
        uint256 shares = market.sharesOf(lender);
        vm.prank(lender);
        market.removeLiquidity(shares / 2);
        vm.prank(borrower);
        vm.expectPartialRevert(IMarketErrors.InsufficientLiquidity.selector);
        market.openLoan(10_000e18, 600_000e6, _noPrice());
        vm.etch(address(vault), hex"fe");
        vm.prank(borrower);
        vm.expectPartialRevert(IMarketErrors.InsufficientLiquidity.selector);
        market.openLoan(10_000e18, 600_000e6, _noPrice());
    }

    function test_draw_onlyKnownMarkets() public {
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AmountOutOfRange.selector, 1, 0));
        vault.drawForMarket(1);
    }

    function test_redeem_fillsPartiallyFromIdleAndMarkets() public {
        vm.prank(lender);
        vault.supply(address(market), 400_000e6);
        assertEq(vault.idleAssets(), 0);
        _openLoan(10_000e18, 750_000e6);
        _giveCollateral(borrower, 10_000e18);
        _openLoan(10_000e18, 350_000e6);
        assertEq(vault.redeemableNow(), 300_000e6);
        uint256 shares = vault.balanceOf(alice);
        vm.prank(alice);
        assertApproxEqAbs(vault.redeem(shares), 300_000e6, 2);
        assertApproxEqAbs(vault.balanceOf(alice), 100_000e6, 2);
        vm.prank(alice);
        vm.expectRevert();
        vault.redeem(shares);
        _assertSolvent();
    }

    function test_deposit_gates() public {
        vm.startPrank(lender);
        vault.setDepositsPaused(true);
        vm.stopPrank();
        vm.startPrank(alice);
        vm.expectRevert(ILendingVault.DepositsArePaused.selector);
        vault.deposit(1e6, address(0));
        vault.redeem(1e6);
        vm.stopPrank();
        DemoIdentityRegistry register = new DemoIdentityRegistry(address(this));
        vm.startPrank(lender);
        vault.setDepositsPaused(false);
        vault.setDepositorRegistry(address(register));
        vm.stopPrank();
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.DepositorNotVerified.selector, alice));
        vault.deposit(1e6, address(0));
        vm.stopPrank();
        vm.prank(lender);
        vault.setDepositorRegistry(address(0));
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.DistributorNotAllowed.selector, address(vault)));
        vault.deposit(1e6, address(vault));
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AmountOutOfRange.selector, 0, type(uint128).max));
        vault.deposit(0, address(0));
        vm.stopPrank();
    }

    function test_owner_onlyForItsOwnMarkets() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        vault.announceDrawCap(address(market), 1);
        LendingVault foreign = _makeVault(stranger);
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOperators.selector, address(market)));
        foreign.announceDrawCap(address(market), 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(market)));
        foreign.supply(address(market), 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(market)));
        foreign.withdraw(address(market), 1);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, stranger));
        vault.collectDistributorFees(stranger);
    }

    function test_fees_goToTheHoldersDistributor() public {
        vm.prank(lender);
        vault.supply(address(market), 400_000e6);
        address bob = makeAddress("bob");
        vm.startPrank(alice);
        vault.transfer(bob, 100_000e6);
        vm.stopPrank();
        uint256 loanId = _openLoan(10_000e18, 700_000e6);
        skipTime(100 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        uint256 due = market.distributorFeesPayable(address(vault));
        assertGt(due, 0);
        assertEq(vault.collectDistributorFees(address(market)), due);
        assertApproxEqAbs(vault.distributorFeesOf(distributor), due * 3 / 4, 1);
        vault.payDistributor(distributor);
        vault.payOperatorFees();
        assertApproxEqAbs(cash.balanceOf(distributor), due * 3 / 4, 1);
        assertApproxEqAbs(cash.balanceOf(lender), due / 4, 1);
        vm.expectRevert(ILendingVault.NothingAccrued.selector);
        vault.payDistributor(distributor);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.DistributorNotAllowed.selector, address(0)));
        vault.payDistributor(address(0));
        assertEq(vault.distributorOf(alice), distributor);
        assertEq(cash.balanceOf(address(vault)) >= vault.idleAssets(), true);
    }

    function testFuzz_roundTrip_neverPaysMoreThanWasPutIn(uint256 amount) public {
        amount = bound(amount, 1, 100_000e6);
        vm.startPrank(alice);
        uint256 shares = vault.deposit(amount, address(0));
        skipTime(3 days);
        assertLe(vault.redeem(shares), amount);
        vm.stopPrank();
    }
}
