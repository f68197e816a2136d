// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LoanStatus, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {FirstGenerationMarket} from "../../fixtures/lending/FirstGenerationMarket.sol";
import {FirstGenerationWorld} from "./FirstGenerationWorld.sol";

/// @notice The first generation at work, before anybody upgrades it.
contract FirstGenerationTest is FirstGenerationWorld {
    function test_addLiquidity_revertsOffTheOneRegister() public {
        _give(stranger, 1_000e6);
        vm.startPrank(stranger);
        cash.approve(address(old), type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(FirstGenerationMarket.NotVerified.selector, stranger));
        old.addLiquidity(1_000e6);
        vm.stopPrank();
        vm.prank(admin);
        old.setIdentityRegistry(address(0));
        vm.prank(stranger);
        old.addLiquidity(1_000e6);
        assertEq(market.toAssets(market.sharesOf(stranger)), 1_000e6);
    }

    function test_openLoan_revertsOffTheOneRegister() public {
        register.deleteIdentity(borrower);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower));
        market.openLoan(100e18, 5_000e6, _noPrice());
    }

    function test_reading_tellsTheGeneration() public view {
        assertEq(market.version(), 1);
        assertEq(old.operatorShareBps(), OFFERED_BPS);
        assertEq(old.identityRegistry(), address(register));
        assertEq(market.parts().borrowerRegistry, market.parts().providerRegistry);
        assertEq(market.vaults()[0], address(vault));
        assertFalse(_answers(address(old), "isInstrumented()"));
        assertFalse(_answers(address(old), "stampsLoanTerms()"));
        assertFalse(_answers(address(old), "holdsVenueProceeds()"));
    }

    function test_missingFunctions_failWithoutData() public {
        bytes[3] memory calls = [
            abi.encodeWithSignature("pokeSnapshot()"),
            abi.encodeWithSignature("setIdentityGates(address,address)", address(0), address(0)),
            abi.encodeWithSignature("sweepDistributorFees(address)", lender)
        ];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(admin);
            (bool success, bytes memory reason) = address(old).call(calls[i]);
            assertFalse(success);
            assertEq(reason.length, 0);
        }
    }

    /// 800,000 of 2,000,000 lent: 2 % + 0.4 x 10 % = 6 %; a fifth of a year makes 9,600.
    function test_interest_paysTheOfferedShareAndNoDistributors() public {
        uint256 loanId = _openLoan(10_000e18, 700_000e6);
        _giveCollateral(borrower, 2_000e18);
        _openLoan(2_000e18, 100_000e6);
        skipTime(73 days);
        assertEq(_debt(loanId), 708_400e6);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        // 8,400: 1,260 infrastructure; of 7,140 a tenth for the operator, the rest for the providers.
        assertEq(market.pool().infrastructureFees, 1_260e6);
        assertEq(market.pool().operatorFees, 714e6);
        assertEq(market.pool().distributorFees, 0);
        assertEq(market.pool().cash, 2_000_000e6 - 100_000e6 + 7_140e6 - 714e6);
        assertEq(market.sweepOperatorFees(), 714e6);
        assertEq(cash.balanceOf(lender), 714e6);
        _assertSolvent();
    }

    function test_everyProvider_earnsItsPart() public {
        uint256 loanId = _openLoan(10_000e18, 700_000e6);
        skipTime(365 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        uint256 shares = market.sharesOf(provider);
        vm.prank(provider);
        uint256 paid = market.removeLiquidity(shares);
        assertGt(paid, 500_000e6);
        assertApproxEqAbs(vault.totalAssets(), paid, 1);
        uint256 vaultShares = vault.balanceOf(investor);
        vm.prank(investor);
        assertApproxEqAbs(vault.redeem(vaultShares), paid, 2);
        _assertSolvent();
    }

    function test_realization_runsThroughTheRouter() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        _sellAndSettle(1, 3_675e6);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _repay(loanId, type(uint256).max);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        _assertSolvent();
    }

    function test_realization_runsThroughAnAuction() public {
        _wireVenue();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        skipTime(600);
        vm.prank(buyer);
        venue.bidOnAuction(1, type(uint256).max, type(uint256).max);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }
}
