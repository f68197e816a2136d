// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {InsuranceFund} from "../../../src/lending/InsuranceFund.sol";
import {InterestRateModel} from "../../../src/lending/InterestRateModel.sol";
import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LiquidationRouter} from "../../../src/lending/LiquidationRouter.sol";
import {CollateralMode, ILendingFactory, PriceSource} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {CuratorTerms} from "../../../src/lending/interfaces/MarketTypes.sol";
import {EarlierFactory} from "../../fixtures/lending/EarlierFactory.sol";
import {EarlierParams, FactoryWithoutAttestation} from "../../fixtures/lending/FactoryWithoutAttestation.sol";
import {FactoryWithoutDeployers} from "../../fixtures/lending/FactoryWithoutDeployers.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice Factories from before the current one, with markets that run, and what their upgrade brings.
contract EarlierFactoriesTest is LendingTest {
    bytes32 private constant HASH = keccak256("what was said about the collateral");

    function _proxyOf(EarlierFactory implementation) private returns (address proxy) {
        proxy = address(
            new ERC1967Proxy(
                address(implementation),
                abi.encodeCall(EarlierFactory.initialize, (address(this), suite.satelliteDeployer))
            )
        );
        EarlierFactory early = EarlierFactory(proxy);
        early.setImplementation("market", address(new LendingMarket(proxy, platform)));
        early.setImplementation("rateModel", address(new InterestRateModel(proxy)));
        early.setImplementation("insuranceFund", address(new InsuranceFund(proxy)));
        early.setImplementation("router", address(new LiquidationRouter(proxy)));
    }

    function _earlierParams() private view returns (EarlierParams memory p) {
        p.collateralToken = address(token);
        p.borrowAsset = address(cash);
        p.mode = CollateralMode.CUSTODY;
        p.priceSource = PriceSource.NAV;
        p.initialPrice = PRICE;
        p.candidates = new address[](1);
        p.candidates[0] = lender;
    }

    function _lend(LendingMarket its) private {
        _give(lender, POOL);
        vm.startPrank(lender);
        cash.approve(address(its), type(uint256).max);
        its.addLiquidity(POOL);
        vm.stopPrank();
        vm.startPrank(borrower);
        token.approve(its.parts().adapter, type(uint256).max);
        cash.approve(address(its), type(uint256).max);
        its.openLoan(100e18, 5_000e6, _noPrice());
        its.repay(1, 1_000e6);
        vm.stopPrank();
        assertEq(its.loan(1).principal, 4_000e6);
    }

    function test_withoutAttestation_deploysAndLends() public {
        FactoryWithoutAttestation early = FactoryWithoutAttestation(_proxyOf(new FactoryWithoutAttestation()));
        vm.prank(deployer);
        LendingMarket its = LendingMarket(early.deployMarket(_earlierParams()));
        assertTrue(early.isMarket(address(its)));
        assertEq(early.deployment(address(its)).deployer, deployer);
        vm.prank(lender);
        early.acceptCuratorRole(address(its), _terms(), 0);
        _lend(its);
        (bool success,) = address(early).staticcall(abi.encodeCall(ILendingFactory.assetData, (address(its))));
        assertFalse(success);
        (success,) = address(early).call(abi.encodeCall(ILendingFactory.attestAssetData, (address(its), HASH)));
        assertFalse(success);
    }

    function test_withoutAttestation_refusesATermsHashBecauseNoneStands() public {
        FactoryWithoutAttestation early = FactoryWithoutAttestation(_proxyOf(new FactoryWithoutAttestation()));
        vm.prank(deployer);
        address its = early.deployMarket(_earlierParams());
        CuratorTerms memory terms = _terms();
        terms.assetDataHash = HASH;
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.AssetDataMismatch.selector, HASH, bytes32(0)));
        early.acceptCuratorRole(its, terms, 0);
    }

    function test_withoutAttestation_attestsAfterItsUpgrade() public {
        address proxy = _proxyOf(new FactoryWithoutAttestation());
        FactoryWithoutAttestation early = FactoryWithoutAttestation(proxy);
        vm.startPrank(deployer);
        address seeking = early.deployMarket(_earlierParams());
        address adopted = early.deployMarket(_earlierParams());
        vm.expectRevert(abi.encodeWithSelector(EarlierFactory.OwnableUnauthorizedAccount.selector, deployer));
        early.upgradeToAndCall(suite.factoryImplementation, "");
        vm.stopPrank();
        vm.prank(lender);
        early.acceptCuratorRole(adopted, _terms(), 0);
        _lend(LendingMarket(adopted));
        early.upgradeToAndCall(suite.factoryImplementation, "");
        LendingFactory current = LendingFactory(proxy);
        assertEq(current.version(), 3);
        assertEq(current.marketCount(), 2);
        assertEq(current.marketAt(1), adopted);
        assertEq(current.attestorOf(seeking), deployer);
        assertEq(current.attestorOf(adopted), issuer);
        vm.prank(deployer);
        current.attestAssetData(seeking, HASH);
        vm.prank(issuer);
        current.attestAssetData(adopted, HASH);
        vm.prank(lender);
        current.acknowledgeAssetData(adopted, HASH);
        assertFalse(current.assetDataDiverged(adopted));
        assertEq(current.assetData(seeking).version, 1);
    }

    function test_withoutDeployers_onlyTheOwnerNominatesAndNobodyAttests() public {
        FactoryWithoutDeployers early = FactoryWithoutDeployers(_proxyOf(new FactoryWithoutDeployers()));
        vm.startPrank(deployer);
        address its = early.deployMarket(_params());
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotDeployer.selector, deployer));
        early.nominateCurator(its, stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotAttestor.selector, deployer, address(0)));
        early.attestAssetData(its, HASH);
        vm.stopPrank();
        early.nominateCurator(its, stranger);
        assertEq(early.candidates(its).length, 2);
        assertEq(early.deployment(its).deployer, address(0));
        assertEq(early.attestorOf(its), address(0));
    }

    function test_withoutDeployers_theIssuerAttestsOnceAdopted() public {
        FactoryWithoutDeployers early = FactoryWithoutDeployers(_proxyOf(new FactoryWithoutDeployers()));
        LendingMarket its = LendingMarket(early.deployMarket(_params()));
        vm.prank(lender);
        early.acceptCuratorRole(address(its), _terms(), 0);
        _lend(its);
        vm.prank(issuer);
        early.attestAssetData(address(its), HASH);
        vm.prank(lender);
        early.acknowledgeAssetData(address(its), HASH);
        assertEq(early.assetData(address(its)).acknowledged, HASH);
    }
}
