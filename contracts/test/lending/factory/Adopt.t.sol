// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {
    DeployParams,
    Deployment,
    ILendingFactory,
    PriceSource
} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {CuratorTerms, RealizationMode} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract AdoptTest is LendingTest {
    DemoIdentityRegistry private register;
    LendingMarket private seeking;
    address private rival = makeAddress("rival");

    function setUp() public override {
        super.setUp();
        register = new DemoIdentityRegistry(address(this));
        register.addAgent(address(this));
        register.registerIdentity(stranger, address(this), 276);
        register.registerIdentity(rival, address(this), 276);
        DeployParams memory p = _params();
        p.borrowerRegistry = address(register);
        p.isOpenToAnyCurator = true;
        p.assetDataHash = keccak256("one");
        vm.prank(deployer);
        seeking = LendingMarket(factory.deployMarket(p));
    }

    function test_nominee_takesEverythingInOneTransaction() public {
        CuratorTerms memory t = _terms();
        t.assetDataHash = keccak256("one");
        t.maxFixedRateBps = 2_000;
        vm.prank(lender);
        factory.acceptCuratorRole(address(seeking), t, 0);
        Deployment memory d = factory.deployment(address(seeking));
        assertEq(d.curator, lender);
        assertEq(d.issuer, issuer);
        assertTrue(seeking.hasRole(ADMIN_ROLE, admin));
        assertTrue(seeking.hasRole(ISSUER_ROLE, issuer));
        assertTrue(seeking.hasRole(LIQUIDATOR_ROLE, liquidator));
        assertEq(seeking.operatorFeeRecipient(), lender);
        assertFalse(factory.assetDataDiverged(address(seeking)));
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotSeekingCurator.selector, address(seeking)));
        factory.acceptCuratorRole(address(seeking), t, 0);
    }

    function test_nominee_refusals() public {
        CuratorTerms memory t = _terms();
        t.assetDataHash = keccak256("other");
        vm.startPrank(lender);
        vm.expectRevert(
            abi.encodeWithSelector(ILendingFactory.AssetDataMismatch.selector, keccak256("other"), keccak256("one"))
        );
        factory.acceptCuratorRole(address(seeking), t, 0);
        t = _terms();
        t.realizationMode = RealizationMode.EXCHANGE_SALE;
        _expectTerms(t, "realizationMode");
        t = _terms();
        t.realizationMode = RealizationMode.UNDECLARED;
        _expectTerms(t, "realizationMode");
        t = _terms();
        t.admin = address(0);
        _expectTerms(t, "admin");
        t = _terms();
        t.issuer = address(0);
        _expectTerms(t, "issuer");
        t = _terms();
        t.collateralAgent = address(0);
        _expectTerms(t, "collateralAgent");
        t = _terms();
        t.saleRecipient = address(0);
        _expectTerms(t, "saleRecipient");
        t = _terms();
        t.liquidationOperator = address(0);
        _expectTerms(t, "liquidationOperator");
        t = _terms();
        t.oracleOwner = address(0);
        _expectTerms(t, "oracleOwner");
        t = _terms();
        t.priceSigner = address(0);
        _expectTerms(t, "priceSigner");
        vm.stopPrank();
    }

    function test_claim_needsAnOpenMarketAndTheRegister() public {
        LendingMarket closed = LendingMarket(_deployMarket());
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotOpenToClaims.selector, address(closed)));
        factory.commitCuratorClaim(address(closed), "c");
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotNominated.selector, stranger));
        factory.acceptCuratorRole(address(closed), _terms(), 0);
        vm.stopPrank();
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.CandidateNotVerified.selector, buyer));
        factory.commitCuratorClaim(address(seeking), "c");
    }

    function test_claim_commitWaitReveal() public {
        CuratorTerms memory t = _terms();
        bytes32 commitment = factory.claimCommitment(address(seeking), stranger, t, "salt");
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.ClaimNotCommitted.selector, commitment));
        factory.acceptCuratorRole(address(seeking), t, "salt");
        factory.commitCuratorClaim(address(seeking), commitment);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.CommitmentUsed.selector, commitment));
        factory.commitCuratorClaim(address(seeking), commitment);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.ClaimPending.selector, block.timestamp + 600));
        factory.acceptCuratorRole(address(seeking), t, "salt");
        skipTime(600);
        t.admin = stranger;
        vm.expectPartialRevert(ILendingFactory.ClaimNotCommitted.selector);
        factory.acceptCuratorRole(address(seeking), t, "salt");
        t.admin = admin;
        factory.acceptCuratorRole(address(seeking), t, "salt");
        vm.stopPrank();
        assertEq(factory.deployment(address(seeking)).curator, stranger);
    }

    function test_claim_expires() public {
        CuratorTerms memory t = _terms();
        bytes32 commitment = factory.claimCommitment(address(seeking), stranger, t, "salt");
        vm.startPrank(stranger);
        factory.commitCuratorClaim(address(seeking), commitment);
        uint256 end = block.timestamp + 600 + 259_200;
        vm.warp(end + 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.ClaimExpired.selector, end));
        factory.acceptCuratorRole(address(seeking), t, "salt");
    }

    function test_claim_theFirstCommitmentHasPriorityOnce() public {
        CuratorTerms memory t = _terms();
        vm.prank(stranger);
        factory.commitCuratorClaim(address(seeking), "whatever");
        bytes32 commitment = factory.claimCommitment(address(seeking), rival, t, "salt");
        vm.prank(rival);
        factory.commitCuratorClaim(address(seeking), commitment);
        skipTime(700);
        vm.prank(rival);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.ClaimBehindAnother.selector, stranger));
        factory.acceptCuratorRole(address(seeking), t, "salt");
        // The squatter's window ends, and it does not get another.
        skipTime(259_200);
        vm.prank(stranger);
        factory.commitCuratorClaim(address(seeking), "again");
        commitment = factory.claimCommitment(address(seeking), rival, t, "salt2");
        vm.prank(rival);
        factory.commitCuratorClaim(address(seeking), commitment);
        skipTime(600);
        vm.prank(rival);
        factory.acceptCuratorRole(address(seeking), t, "salt2");
        assertEq(factory.deployment(address(seeking)).curator, rival);
    }

    function test_claim_aNewAttestationVoidsIt() public {
        CuratorTerms memory t = _terms();
        bytes32 commitment = factory.claimCommitment(address(seeking), stranger, t, "salt");
        vm.prank(stranger);
        factory.commitCuratorClaim(address(seeking), commitment);
        vm.prank(deployer);
        factory.attestAssetData(address(seeking), keccak256("two"));
        skipTime(600);
        vm.prank(stranger);
        vm.expectPartialRevert(ILendingFactory.ClaimNotCommitted.selector);
        factory.acceptCuratorRole(address(seeking), t, "salt");
    }

    function test_assetData_lifeOfAnAttestation() public {
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotAttestor.selector, issuer, deployer));
        factory.attestAssetData(address(seeking), keccak256("two"));
        vm.startPrank(deployer);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.AttestationCurrent.selector, keccak256("one")));
        factory.attestAssetData(address(seeking), keccak256("one"));
        vm.expectRevert(ILendingFactory.InvalidContentHash.selector);
        factory.attestAssetData(address(seeking), 0);
        vm.stopPrank();
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotAcknowledger.selector, lender));
        factory.acknowledgeAssetData(address(seeking), keccak256("one"));
        _adopt(seeking, lender);
        assertEq(factory.attestorOf(address(seeking)), issuer);
        vm.prank(deployer);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotAttestor.selector, deployer, issuer));
        factory.attestAssetData(address(seeking), keccak256("two"));
        vm.prank(lender);
        factory.acknowledgeAssetData(address(seeking), keccak256("one"));
        assertFalse(factory.assetDataDiverged(address(seeking)));
        vm.expectEmit(address(factory));
        emit ILendingFactory.AssetDataAttested(address(seeking), keccak256("two"), keccak256("one"), 2, issuer);
        vm.prank(issuer);
        factory.attestAssetData(address(seeking), keccak256("two"));
        assertTrue(factory.assetDataDiverged(address(seeking)));
        vm.prank(admin);
        vm.expectRevert(
            abi.encodeWithSelector(ILendingFactory.AssetDataMismatch.selector, keccak256("one"), keccak256("two"))
        );
        factory.acknowledgeAssetData(address(seeking), keccak256("one"));
        vm.prank(admin);
        factory.acknowledgeAssetData(address(seeking), keccak256("two"));
        assertFalse(factory.assetDataDiverged(address(seeking)));
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.MarketNotDeployed.selector, stranger));
        factory.attestAssetData(stranger, "x");
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.MarketNotDeployed.selector, stranger));
        factory.acknowledgeAssetData(stranger, "x");
    }

    function test_marketPriced_onlyExchangeOrRedemption() public {
        DeployParams memory p = _params();
        p.priceSource = PriceSource.MARKET;
        p.borrowerRegistry = address(register);
        vm.prank(deployer);
        LendingMarket m = LendingMarket(factory.deployMarket(p));
        assertEq(m.config().auctionMinBps, 9_800);
        CuratorTerms memory t = _terms();
        t.realizationMode = RealizationMode.AUCTION;
        vm.startPrank(lender);
        vm.expectRevert(
            abi.encodeWithSelector(ILendingFactory.InvalidCuratorTerms.selector, bytes32("realizationMode"))
        );
        factory.acceptCuratorRole(address(m), t, 0);
        t.realizationMode = RealizationMode.EXCHANGE_SALE;
        factory.acceptCuratorRole(address(m), t, 0);
        vm.stopPrank();
    }

    function _expectTerms(CuratorTerms memory t, bytes32 field) private {
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.InvalidCuratorTerms.selector, field));
        factory.acceptCuratorRole(address(seeking), t, 0);
    }
}
