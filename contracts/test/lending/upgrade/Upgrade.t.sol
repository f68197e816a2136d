// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IServedUpgrade} from "../../../src/base/interfaces/IServedUpgrade.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ITwoStepOwned} from "../../../src/lending/base/interfaces/ITwoStepOwned.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {
    BareImplementation,
    NextFund,
    NextMarket,
    NextModel,
    NextRouter,
    UninstrumentedMarket,
    UnstampingMarket
} from "../../fixtures/lending/Implementations.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract UpgradeTest is LendingTest {
    function test_market_onlyTheAdminAndOnlyWhatIsServed() public {
        address next = address(new NextMarket(address(factory), platform));
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        vm.prank(stranger);
        market.upgradeToAndCall(next, "");
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotServed.selector, next, suite.market));
        market.upgradeToAndCall(next, "");
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotAnUpgrade.selector, 3, 3));
        market.upgradeToAndCall(suite.market, "");
        vm.stopPrank();
        factory.setImplementation("market", next);
        vm.prank(admin);
        market.upgradeToAndCall(next, "");
        assertEq(market.version(), 4);
        factory.setImplementation("market", suite.market);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotAnUpgrade.selector, 4, 3));
        market.upgradeToAndCall(suite.market, "");
    }

    function test_satellitesAndRouter_byTheirOwners() public {
        address nextModel = address(new NextModel(address(factory)));
        address nextFund = address(new NextFund(address(factory)));
        address nextRouter = address(new NextRouter(address(factory)));
        factory.setImplementation("rateModel", nextModel);
        factory.setImplementation("insuranceFund", nextFund);
        factory.setImplementation("router", nextRouter);
        bytes memory refused = abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        model.upgradeToAndCall(nextModel, "");
        vm.expectRevert(refused);
        fund.upgradeToAndCall(nextFund, "");
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        router.upgradeToAndCall(nextRouter, "");
        vm.stopPrank();
        vm.prank(issuer);
        model.upgradeToAndCall(nextModel, "");
        vm.startPrank(admin);
        fund.upgradeToAndCall(nextFund, "");
        router.upgradeToAndCall(nextRouter, "");
        vm.stopPrank();
        assertEq(model.version() + fund.version() + router.version(), 10);
    }

    function test_market_upgradesWithLiveLoansOpenAuctionsAndVaults() public {
        LendingVault vault = _makeVault(lender);
        vm.prank(admin);
        market.registerVault(address(vault));
        _wireVenue();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 other = _openLoan(1_000e18, 50_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        skipTime(600);
        PoolView memory before = market.pool();
        LoanView memory loanBefore = market.loan(other);

        address next = address(new NextMarket(address(factory), platform));
        factory.setImplementation("market", next);
        vm.startPrank(admin);
        market.upgradeToAndCall(next, "");
        market.pokeSnapshot();
        vm.stopPrank();

        assertEq(keccak256(abi.encode(market.pool())), keccak256(abi.encode(before)));
        assertEq(keccak256(abi.encode(market.loan(other))), keccak256(abi.encode(loanBefore)));
        assertEq(market.vaults()[0], address(vault));
        vm.prank(buyer);
        venue.bidOnAuction(1, 50e18, type(uint256).max);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _give(borrower, 1_000e6);
        _repay(other, type(uint256).max);
        _assertSolvent();
    }

    function test_probes_tellWhatAnImplementationLacks() public {
        address bare = address(new BareImplementation(address(factory)));
        address unstamping = address(new UnstampingMarket(address(factory)));
        address uninstrumented = address(new UninstrumentedMarket(address(factory)));
        assertFalse(_answers(bare, "isInstrumented()"));
        assertFalse(_answers(bare, "hasFixedRateCeiling()"));
        assertFalse(_answers(bare, "hasOpenTopUp()"));
        assertFalse(_answers(bare, "hasSaleRecipientRotation()"));
        assertTrue(_answers(unstamping, "isInstrumented()"));
        assertFalse(_answers(unstamping, "stampsLoanTerms()"));
        assertFalse(_answers(uninstrumented, "isInstrumented()"));
        assertTrue(_answers(suite.market, "isInstrumented()"));
        assertTrue(_answers(suite.market, "stampsLoanTerms()"));
        assertTrue(_answers(suite.market, "holdsVenueProceeds()"));
        assertTrue(_answers(suite.model, "hasFixedRateCeiling()"));
        assertTrue(_answers(suite.fund, "hasOpenTopUp()"));
        assertTrue(_answers(suite.router, "hasSaleRecipientRotation()"));
    }

    function _answers(address implementation, string memory probe) private view returns (bool) {
        (bool success, bytes memory data) = implementation.staticcall(abi.encodeWithSignature(probe));
        return success && data.length == 32 && abi.decode(data, (bool));
    }
}
