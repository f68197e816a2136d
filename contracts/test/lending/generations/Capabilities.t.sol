// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {CuratorTerms} from "../../../src/lending/interfaces/MarketTypes.sol";
import {FundWithoutTopUp} from "../../fixtures/lending/FundWithoutTopUp.sol";
import {MarketWithoutSnapshot} from "../../fixtures/lending/MarketWithoutSnapshot.sol";
import {MarketWithoutStamping} from "../../fixtures/lending/MarketWithoutStamping.sol";
import {ModelWithoutCeiling} from "../../fixtures/lending/ModelWithoutCeiling.sol";
import {RouterWithoutRotation} from "../../fixtures/lending/RouterWithoutRotation.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A market all of whose parts lack one capability each. Everything else of them works, and an upgrade brings
/// what is missing.
contract CapabilitiesTest is LendingTest {
    function _prepareSuite() internal override {
        address f = address(factory);
        factory.setImplementation("market", address(new MarketWithoutStamping(f, suite.market, 1)));
        factory.setImplementation("rateModel", address(new ModelWithoutCeiling(f, suite.model, 1)));
        factory.setImplementation("insuranceFund", address(new FundWithoutTopUp(f, suite.fund, 1)));
        factory.setImplementation("router", address(new RouterWithoutRotation(f, suite.router, 1)));
    }

    function _serveCurrent() private {
        factory.setImplementation("market", suite.market);
        factory.setImplementation("rateModel", suite.model);
        factory.setImplementation("insuranceFund", suite.fund);
        factory.setImplementation("router", suite.router);
    }

    function test_probes_tellOnImplementationAndProxyWhatIsMissing() public view {
        _assertLacks(address(market), "market", "stampsLoanTerms()");
        _assertLacks(address(market), "market", "holdsVenueProceeds()");
        _assertLacks(address(model), "rateModel", "hasFixedRateCeiling()");
        _assertLacks(address(fund), "insuranceFund", "hasOpenTopUp()");
        _assertLacks(address(router), "router", "hasSaleRecipientRotation()");
        assertTrue(_answers(address(market), "isInstrumented()"));
        assertEq(market.version() + model.version() + fund.version() + router.version(), 4);
    }

    function test_probes_ofAMarketWithoutSnapshot() public {
        address without = address(new MarketWithoutSnapshot(address(factory), suite.market, 4));
        assertFalse(_answers(without, "isInstrumented()"));
        assertTrue(_answers(without, "stampsLoanTerms()"));
        assertTrue(_answers(without, "holdsVenueProceeds()"));
        // The chain takes whatever is served and higher: only the probe tells beforehand what would be lost.
        factory.setImplementation("market", without);
        vm.startPrank(admin);
        market.upgradeToAndCall(without, "");
        vm.expectRevert(bytes(""));
        market.pokeSnapshot();
        vm.stopPrank();
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _repay(loanId, type(uint256).max);
        _assertSolvent();
    }

    function test_everythingElse_works() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        skipTime(30 days);
        _setPrice(80e6);
        _liquidate(loanId);
        _sellAndSettle(1, 3_000e6);
        skipTime(30 days);
        _give(borrower, 1_000e6);
        _repay(loanId, type(uint256).max);
        market.sweepInfrastructureFees();
        market.pokeSnapshot();
        _assertSolvent();
    }

    function test_withoutStamping_theSettingsOfTodayRule() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 20 days, 0, 0);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 300);
        skipTime(32 days);
        _setPrice(PRICE);
        uint256 id = _liquidate(loanId);
        assertTrue(market.realization(id).isTerm);
        assertEq(market.realization(id).penaltyBps, 300);
    }

    function test_withStamping_theLoanKeepsItsTerms() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 20 days, 0, 0);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _serveCurrent();
        vm.prank(admin);
        market.upgradeToAndCall(suite.market, "");
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 300);
        skipTime(32 days);
        _setPrice(PRICE);
        vm.prank(liquidator);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        market.liquidate(loanId, _noPrice());
    }

    function test_modelWithoutCeiling_cannotTakeOneAtAdoption() public {
        LendingMarket seeking = LendingMarket(_deployMarket());
        CuratorTerms memory terms = _terms();
        terms.maxFixedRateBps = 2_000;
        vm.prank(lender);
        vm.expectRevert(bytes(""));
        factory.acceptCuratorRole(address(seeking), terms, 0);
        terms.maxFixedRateBps = 0;
        vm.prank(lender);
        factory.acceptCuratorRole(address(seeking), terms, 0);
    }

    function test_modelWithoutCeiling_getsOneByUpgrade() public {
        _serveCurrent();
        vm.startPrank(issuer);
        vm.expectRevert(bytes(""));
        model.setMaxFixedRate(2_000);
        model.upgradeToAndCall(suite.model, "");
        model.setMaxFixedRate(2_000);
        vm.stopPrank();
        assertEq(model.maxFixedRateBps(), 2_000);
        assertEq(model.owner(), issuer);
    }

    function test_fundWithoutTopUp_isOpenedByUpgrade() public {
        _give(stranger, 1_000e6);
        vm.startPrank(stranger);
        cash.approve(address(fund), type(uint256).max);
        vm.expectRevert(bytes(""));
        fund.topUp(1_000e6);
        vm.stopPrank();
        _serveCurrent();
        vm.prank(admin);
        fund.upgradeToAndCall(suite.fund, "");
        vm.prank(stranger);
        fund.topUp(1_000e6);
        assertEq(cash.balanceOf(address(fund)), 1_000e6);
    }

    function test_routerWithoutRotation_rotatesAfterTheUpgrade() public {
        vm.startPrank(admin);
        vm.expectRevert(bytes(""));
        router.announceSaleRecipient(stranger);
        vm.stopPrank();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        _serveCurrent();
        vm.startPrank(admin);
        router.upgradeToAndCall(suite.router, "");
        router.announceSaleRecipient(stranger);
        vm.stopPrank();
        _sellAndSettle(1, 3_675e6);
        skipTime(1 hours);
        vm.prank(admin);
        router.rotateSaleRecipient();
        assertEq(router.saleRecipient(), stranger);
    }

    function _assertLacks(address proxy, bytes32 kind, string memory probe) private view {
        assertFalse(_answers(proxy, probe), probe);
        assertFalse(_answers(factory.servedImplementation(kind), probe), probe);
    }

    function _answers(address target, string memory probe) private view returns (bool) {
        (bool success, bytes memory data) = target.staticcall(abi.encodeWithSignature(probe));
        return success && data.length == 32 && abi.decode(data, (bool));
    }
}
