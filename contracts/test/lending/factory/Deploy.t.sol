// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {ITwoStepOwned} from "../../../src/lending/base/interfaces/ITwoStepOwned.sol";
import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {
    DeployParams,
    Deployment,
    ILendingFactory,
    PriceSource
} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {MarketParts} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {MarketSetup} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {NoDecimals} from "../../support/hostile/BareTokens.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

contract DeployTest is LendingTest {
    function test_deploy_wiresEverythingInOneCall() public {
        DeployParams memory p = _params();
        p.assetDataHash = keccak256("bundle");
        p.isOpenToAnyCurator = true;
        vm.prank(deployer);
        LendingMarket m = LendingMarket(factory.deployMarket(p));
        MarketParts memory parts = m.parts();
        Deployment memory d = factory.deployment(address(m));
        assertEq(d.deployer, deployer);
        assertEq(d.curator, address(0));
        assertEq(d.oracle, parts.oracle);
        assertEq(d.router, parts.router);
        assertTrue(d.isOpenToAnyCurator);
        address[3] memory owned = [parts.oracle, parts.model, parts.fund];
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(ITwoStepOwned(owned[i]).owner(), address(m));
        }
        assertEq(factory.candidates(address(m))[0], lender);
        assertEq(factory.assetData(address(m)).version, 1);
        assertEq(factory.assetData(address(m)).attestor, deployer);
        assertTrue(factory.isMarket(address(m)));
        assertEq(factory.marketAt(factory.marketCount() - 1), address(m));
        assertEq(m.config().collateralFactorBps, 7_500);
        assertEq(m.config().auctionMinBps, 9_500);
        assertEq(m.termConfig().gracePeriod, 3 days);
    }

    function test_deploy_refusals() public {
        DeployParams memory p = _params();
        p.collateralToken = stranger;
        _expect(p, "collateralToken");
        p = _params();
        p.borrowAsset = address(token);
        _expect(p, "borrowAsset");
        p = _params();
        p.borrowAsset = address(new DemoCash("Few", "FEW", 5, address(this)));
        _expect(p, "borrowAssetDecimals");
        p = _params();
        p.collateralToken = address(new DemoCash("Many", "MANY", 19, address(this)));
        _expect(p, "collateralDecimals");
        p = _params();
        p.collateralToken = address(new NoDecimals());
        p.fallbackDecimals = 19;
        _expect(p, "collateralDecimals");
        p = _params();
        p.priceSource = PriceSource.MARKET;
        _expect(p, "borrowerRegistry");
        p = _params();
        p.offer.mode = RateMode.FIXED;
        p.offer.fixedBps = 500;
        _expect(p, "maxLoanDuration");
        p = _params();
        p.candidates[0] = address(0);
        _expect(p, "candidate");
        p = _params();
        p.candidates = new address[](21);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.TooManyCandidates.selector, 20));
        factory.deployMarket(p);
        factory.setCreatorRateCeiling(1_000);
        p = _params();
        p.offer.mode = RateMode.CLAMPED;
        p.offer.capBps = 1_001;
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.RateAboveCreatorCeiling.selector, 1_000));
        factory.deployMarket(p);
    }

    function test_market_isInitializedOnceAndOnlyByTheFactory() public {
        MarketSetup memory setup;
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        market.initialize(setup);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        LendingMarket(suite.market).initialize(setup);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotFactory.selector, address(this)));
        market.adopt(address(this), _terms(), true);
    }

    function test_owner_functionsAndHandover() public {
        bytes memory refused = abi.encodeWithSelector(LendingFactory.OwnableUnauthorizedAccount.selector, stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        factory.setImplementation("market", suite.market);
        vm.expectRevert(refused);
        factory.setDefaultFees(1, 1);
        vm.expectRevert(refused);
        factory.setCreatorRateCeiling(1);
        vm.expectRevert(refused);
        factory.transferOwnership(stranger);
        vm.expectRevert(refused);
        factory.acceptOwnership();
        vm.expectRevert(refused);
        factory.upgradeToAndCall(suite.factoryImplementation, "");
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotVersioned.selector, stranger));
        factory.setImplementation("market", stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.RateAboveCreatorCeiling.selector, 50_000));
        factory.setCreatorRateCeiling(50_001);
        factory.transferOwnership(stranger);
        vm.prank(stranger);
        factory.acceptOwnership();
        assertEq(factory.owner(), stranger);
        assertEq(factory.pendingOwner(), address(0));
    }

    function test_shares_areConstants() public view {
        assertEq(factory.OPERATOR_SHARE(), 0.08e18);
        assertEq(factory.DISTRIBUTOR_SHARE(), 0.05e18);
        // The infrastructure rate is read off the model.
        assertEq(1e18 - model.getSupplyRate(1e18, 1e18, 0), 0.15e18);
    }

    function test_nominations_deployerOrOwnerUntilAdoption() public {
        LendingMarket m = LendingMarket(_deployMarket());
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotDeployer.selector, stranger));
        factory.nominateCurator(address(m), stranger);
        vm.startPrank(deployer);
        factory.nominateCurator(address(m), stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.AlreadyNominated.selector, stranger));
        factory.nominateCurator(address(m), stranger);
        factory.withdrawNomination(address(m), lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotNominated.selector, lender));
        factory.withdrawNomination(address(m), lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotSeekingCurator.selector, address(market)));
        factory.nominateCurator(address(market), stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.MarketNotDeployed.selector, stranger));
        factory.nominateCurator(stranger, stranger);
        vm.stopPrank();
        assertEq(factory.candidates(address(m)).length, 1);
        factory.nominateCurator(address(m), lender);
    }

    function _expect(DeployParams memory p, bytes32 field) private {
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.InvalidDeployment.selector, field));
        factory.deployMarket(p);
    }
}
