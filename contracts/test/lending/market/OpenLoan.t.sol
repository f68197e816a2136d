// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle, SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LoanStatus, MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract OpenLoanTest is LendingTest {
    function test_openLoan_revertsBeforeAdoption() public {
        LendingMarket seeking = LendingMarket(_deployMarket());
        vm.prank(borrower);
        vm.expectRevert(IMarketErrors.MarketPendingCurator.selector);
        seeking.openLoan(1e18, 100e6, _noPrice());
    }

    function test_openLoan_revertsWhilePaused() public {
        vm.prank(admin);
        market.pause();
        _expect(abi.encodeWithSelector(IMarketErrors.MarketIsPaused.selector), 10e18, 100e6);
    }

    function test_openLoan_revertsFromTheTerminalDateOn() public {
        uint256 end = block.timestamp + 10 days;
        vm.prank(issuer);
        market.setTermConfig(0, 3 days, end, 0);
        vm.warp(end);
        _expect(abi.encodeWithSelector(IMarketErrors.MarketTermExpired.selector, end), 10e18, 100e6);
    }

    function test_openLoan_revertsBelowTheMinimum() public {
        _expect(abi.encodeWithSelector(IMarketErrors.BelowMinBorrow.selector, 100e6 - 1, 100e6), 10e18, 100e6 - 1);
    }

    function test_openLoan_revertsWithoutCollateral() public {
        _expect(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0), 0, 100e6);
    }

    function test_openLoan_revertsAboveTheCollateralFactor() public {
        _expect(abi.encodeWithSelector(IMarketErrors.ExceedsMaxBorrow.selector, 750e6 + 1, 750e6), 10e18, 750e6 + 1);
    }

    function test_openLoan_revertsAboveTheCaps() public {
        MarketConfig memory config = market.config();
        (config.maxTotalCollateral, config.maxUserCollateral) = (20e18, 15e18);
        vm.prank(issuer);
        market.setConfig(config);
        _expect(abi.encodeWithSelector(IMarketErrors.UserSupplyCapExceeded.selector, 16e18, 15e18), 16e18, 100e6);
        _expect(abi.encodeWithSelector(IMarketErrors.SupplyCapExceeded.selector, 21e18, 20e18), 21e18, 100e6);
    }

    function test_openLoan_revertsOnAStalePriceUnlessASignedOneComesAlong() public {
        skipTime(1 days + 1);
        uint256 updatedAt = oracle.updatedAt();
        _expect(abi.encodeWithSelector(ISecurityPriceOracle.PriceStale.selector, updatedAt, 1 days), 10e18, 100e6);
        SignedPrice memory signed = _signPrice(90e6, block.timestamp, block.timestamp + 60);
        vm.prank(borrower);
        market.openLoan(10e18, 100e6, signed);
        assertEq(oracle.price(), 90e6);
    }

    function test_openLoan_revertsWhenThePoolIsShort() public {
        vm.prank(issuer);
        market.setReserveRatio(5_000);
        _expect(
            abi.encodeWithSelector(IMarketErrors.InsufficientLiquidity.selector, 500_000e6 + 1, 500_000e6),
            10_000e18,
            500_000e6 + 1
        );
    }

    function test_openLoan_asksTheRegisterForBorrowerAndPayee() public {
        DemoIdentityRegistry register = new DemoIdentityRegistry(address(this));
        register.addAgent(address(this));
        vm.prank(admin);
        market.setIdentityGates(address(register), address(0));
        _expect(abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower), 10e18, 100e6);
        register.registerIdentity(borrower, address(this), 276);
        _openLoan(10e18, 100e6);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.PayeeNotVerified.selector, stranger));
        vm.prank(borrower);
        market.openLoan(10e18, 100e6, stranger, _noPrice());
    }

    function test_openLoan_refusesEveryoneWhenTheRegisterCannotAnswer() public {
        vm.prank(admin);
        market.setIdentityGates(address(cash), address(0));
        _expect(abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower), 10e18, 100e6);
    }

    function test_openLoan_revertsWhenThePayeeIsAPartOfTheMarket() public {
        address[5] memory wired = [address(market), address(router), adapter, address(fund), address(cash)];
        for (uint256 i = 0; i < wired.length; ++i) {
            vm.prank(borrower);
            vm.expectRevert(abi.encodeWithSelector(IMarketErrors.PayeeNotAllowed.selector, wired[i]));
            market.openLoan(10e18, 100e6, wired[i], _noPrice());
        }
    }

    function test_openLoan_lendsAndLocks() public {
        vm.expectEmit(address(market));
        emit IMarketEvents.LoanOpened(1, borrower, 10e18, 500e6, 0, 0);
        uint256 loanId = _openLoan(10e18, 500e6);

        LoanView memory l = market.loan(loanId);
        assertEq(l.borrower, borrower);
        assertEq(l.principal, 500e6);
        assertEq(l.collateral, 10e18);
        assertTrue(l.status == LoanStatus.ACTIVE);
        assertEq(cash.balanceOf(borrower), 500e6);
        assertEq(token.balanceOf(adapter), 10e18);
        PoolView memory p = market.pool();
        assertEq(p.cash, POOL - 500e6);
        assertEq(p.totalBorrowed, 500e6);
        assertEq(p.activeLoans, 1);
        assertEq(market.collateralOf(borrower), 10e18);
        _assertSolvent();
    }

    function test_openLoan_paysThePayeeAndKeepsTheBorrower() public {
        vm.prank(borrower);
        uint256 loanId = market.openLoan(10e18, 500e6, stranger, _noPrice());
        assertEq(cash.balanceOf(stranger), 500e6);
        assertEq(market.loan(loanId).payee, stranger);
        vm.prank(borrower);
        market.borrowMore(loanId, 100e6, _noPrice());
        assertEq(cash.balanceOf(stranger), 600e6);
    }

    function test_openLoan_stampsTermsAndRate() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 2 days, 0, 300);
        vm.prank(issuer);
        model.setRateMode(RateMode.FIXED, 0, 0, 700);
        LoanView memory l = market.loan(_openLoan(10e18, 500e6));
        assertEq(l.rateBps, 700);
        assertEq(l.dueAt, block.timestamp + 30 days);
        assertEq(l.gracePeriod, 2 days);
        assertEq(l.termPenaltyBps, 300);
        assertEq(market.termConfig().latestDueAt, block.timestamp + 30 days);
    }

    function test_openLoan_neverMaturesAfterTheTerminalDate() public {
        uint256 end = block.timestamp + 10 days;
        vm.prank(issuer);
        market.setTermConfig(30 days, 2 days, end, 0);
        assertEq(market.loan(_openLoan(10e18, 500e6)).dueAt, end);
    }

    function testFuzz_openLoan_keepsTheBooksWhole(uint256 collateral, uint256 amount) public {
        collateral = bound(collateral, 2e18, 10_000e18);
        amount = bound(amount, 100e6, market.maxBorrow(collateral));
        _openLoan(collateral, amount);
        PoolView memory p = market.pool();
        assertEq(p.cash + p.totalBorrowed, POOL);
        assertGe(market.healthFactor(1), 1e18);
        _assertSolvent();
    }

    function _expect(bytes memory reason, uint256 collateral, uint256 amount) private {
        vm.prank(borrower);
        vm.expectRevert(reason);
        market.openLoan(collateral, amount, _noPrice());
    }
}
