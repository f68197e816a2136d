// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {FreezeAdapter} from "../../src/lending/FreezeAdapter.sol";
import {ComplianceModule} from "../../src/stocks/ComplianceModule.sol";
import {StockToken} from "../../src/stocks/StockToken.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {LimitModule} from "../identity/support/Modules.sol";
import {ReleasedStocks} from "./support/ReleasedStocks.sol";
import {StockTest} from "./support/StockTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice Token, module and registry of version 1, in the middle of their lives, go on as version 2. The test holds every
/// role of the registry, and is the market of the adapter.
contract UpgradeFromOneTest is StockTest, ReleasedStocks {
    IdentityRegistry private identities;
    FreezeAdapter private adapter;
    address public router = makeAddress("router");
    address public auctionModule = makeAddress("auction module");
    address private moved = makeAddress("moved");
    address private movedTo = makeAddress("moved to");
    address private tokenTwo;
    address private moduleTwo;

    function setUp() public override {
        super.setUp();
        (tokenTwo, moduleTwo) =
        (factory.servedImplementation("stockToken"), factory.servedImplementation("complianceModule"));
        _placeReleasedLibraries();
        factory.setImplementation("stockToken", _deployReleased("StockToken", abi.encode(address(factory))));
        factory.setImplementation("complianceModule", _deployReleased("ComplianceModule", abi.encode(address(factory))));
        bytes memory start = abi.encodeCall(IdentityRegistry.initialize, (address(this), address(this)));
        identities = IdentityRegistry(address(new ERC1967Proxy(_deployReleased("IdentityRegistry", ""), start)));
        identities.addKYCProvider(address(this), "provider");
        identities.addRegisterOperator(address(this), "operator");
        identities.addComplianceOfficer(address(this));
        IStockToken.StockTerms memory terms = _terms();
        terms.identityRegistry = address(identities);
        (address token, address module_) = factory.deployStock(terms, 5_000, 10, "one");
        (stock, module) = (StockToken(token), ComplianceModule(module_));
        assertEq(stock.implementationVersion() + module.implementationVersion() + identities.version(), 3);
        _live();
    }

    /// @dev Something of everything that is stored.
    function _live() private {
        address[6] memory wallets = [alice, bob, carol, moved, subIssuer, router];
        for (uint256 i = 0; i < wallets.length; ++i) {
            identities.verifyIdentity(
                wallets[i],
                bytes32(i + 1),
                IIdentityClaims.InvestorType.RETAIL,
                0,
                uint64(block.timestamp + 365 days),
                276
            );
        }
        identities.addClaim(alice, IIdentityClaims.ClaimType.AML, "aml", 0);
        identities.freezeAddress(stranger);
        identities.moveIdentity(moved, movedTo);
        adapter = new FreezeAdapter(address(this), address(stock));
        vm.startPrank(issuer);
        stock.addSubIssuer(subIssuer);
        stock.setSubIssuerCap(subIssuer, 100);
        stock.addController(controller);
        stock.addAgent(agent);
        stock.addAgent(address(adapter));
        stock.addAuthorizedContract(address(factory));
        stock.setLockup(bob, uint64(block.timestamp + 30 days));
        stock.setUserLimits(alice, 4_000, 20);
        stock.issue(alice, 1_000, REASON);
        stock.issue(bob, 501, REASON);
        stock.issue(router, 40, REASON);
        vm.stopPrank();
        vm.prank(subIssuer);
        stock.issue(carol, 60, REASON);
        vm.prank(alice);
        stock.approve(bob, 77);
        adapter.lock(1, alice, 600);
        vm.prank(controller);
        stock.freezeTokens(alice, 50);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 500, REASON);
        vm.prank(agent);
        stock.setAddressFrozen(carol, true);
        vm.prank(issuer);
        stock.stockSplit(3, 2, 10);
    }

    function _upgrade() private {
        factory.setImplementation("stockToken", tokenTwo);
        factory.setImplementation("complianceModule", moduleTwo);
        vm.startPrank(legalOperator);
        stock.upgradeToAndCall(tokenTwo, "");
        module.upgradeToAndCall(moduleTwo, "");
        vm.stopPrank();
        identities.upgradeToAndCall(address(new IdentityRegistry()), "");
        assertEq(stock.implementationVersion() + module.implementationVersion() + identities.version(), 6);
    }

    function test_upgrade_keepsWhatThereWas() public {
        bytes32 before = _picture();
        _upgrade();
        assertEq(_picture(), before);
        assertBooksAgree();
    }

    /// Pledges go on: what is left is seized, and what a controller took is told.
    function test_upgrade_keepsPledges() public {
        _upgrade();
        assertEq(stock.brokenPledgeOf(address(adapter), alice), 100);
        assertEq(adapter.reconcile(1), 600);
        assertEq(adapter.seize(1, 500, router), 500);
    }

    function test_upgrade_stopsWhatVersionOneLetPass() public {
        // A sub-issuer takes a holder's shares.
        vm.prank(subIssuer);
        stock.redeemFrom(router, 1, REASON);
        // A stranger is moved onto a lost wallet.
        uint256 snapshot = vm.snapshotState();
        identities.moveIdentity(carol, moved);
        vm.revertToState(snapshot);
        _upgrade();
        vm.prank(subIssuer);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        stock.redeemFrom(router, 1, REASON);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.WalletOfAnother.selector, moved, moved, carol));
        identities.moveIdentity(carol, moved);
        vm.prank(controller);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SameAccount.selector, alice));
        stock.forceTransfer(alice, alice, 1, REASON);
        identities.addComplianceModule(address(new LimitModule(0, 0)));
        (, string memory rule) = stock.canTransfer(router, movedTo, 1);
        assertEq(rule, "REGISTRY_MODULE_REFUSED");
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, address(registry)));
        stock.setIdentityRegistry(address(registry));
    }

    /// A wallet that was given up under version 1 is its first person's, who comes back, and is followed from then on.
    function test_upgrade_letsThePersonOfALostWalletComeBack() public {
        _upgrade();
        assertEq(stock.successorOf(moved), address(0));
        identities.moveIdentity(movedTo, moved);
        assertEq(identities.identity(moved), moved);
        assertEq(stock.successorOf(movedTo), moved);
    }

    /// Recovery of holders who came under version 1.
    function test_upgrade_keepsIdentitiesAtEntry() public {
        _upgrade();
        address aliceAgain = makeAddress("alice again");
        identities.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        assertEq(stock.successorOf(alice), aliceAgain);
        assertEq(stock.balanceOf(aliceAgain), 750);
    }

    /// Each alone, in any order: the token does without what an older registry does not answer.
    function test_upgrade_ofTheTokenAloneGoesOn() public {
        factory.setImplementation("stockToken", tokenTwo);
        vm.prank(legalOperator);
        stock.upgradeToAndCall(tokenTwo, "");
        identities.addComplianceModule(address(new LimitModule(0, 0)));
        vm.prank(router);
        stock.transfer(movedTo, 20);
        assertEq(stock.successorOf(moved), address(0));
        vm.prank(issuer);
        stock.issue(router, 1, REASON);
    }

    function _picture() private view returns (bytes32 picture) {
        address[9] memory accounts =
            [alice, bob, carol, subIssuer, issuer, controller, agent, address(adapter), address(factory)];
        for (uint256 i = 0; i < accounts.length; ++i) {
            picture = keccak256(abi.encode(picture, _holding(accounts[i]), _powers(accounts[i]), _person(accounts[i])));
        }
        (uint256 numerator, uint256 denominator) = stock.splitRatio();
        (uint256 max, uint256 min) = module.defaultLimits();
        return keccak256(
            abi.encode(
                picture,
                stock.totalSupply(),
                stock.holdersAt(0, 100),
                stock.allowance(alice, bob),
                stock.name(),
                stock.isin(),
                stock.owner(),
                stock.identityRegistry(),
                stock.complianceModule(),
                numerator,
                denominator,
                abi.encode(max, min, identities.getClaims(alice), identities.isAddressFrozen(stranger))
            )
        );
    }

    function _holding(address account) private view returns (bytes memory) {
        (uint256 fraction,) = stock.splitFraction(0, account);
        return abi.encode(
            stock.balanceOf(account),
            stock.getFrozenTokens(account),
            stock.frozenBy(address(0), account),
            stock.frozenBy(address(adapter), account),
            stock.surplusOf(address(adapter), account),
            stock.brokenPledgeOf(address(adapter), account),
            stock.isFrozen(account),
            stock.identityOfHolder(account),
            fraction
        );
    }

    function _powers(address account) private view returns (bytes memory) {
        (uint256 max, uint256 min) = module.ownLimits(account);
        return abi.encode(
            stock.isIssuer(account),
            stock.isSubIssuer(account),
            stock.isController(account),
            stock.isAgent(account),
            stock.isAuthorizedContract(account),
            stock.subIssuerCap(account),
            stock.subIssuerOutstanding(account),
            max,
            min,
            module.lockedUntil(account)
        );
    }

    function _person(address account) private view returns (bytes memory) {
        return abi.encode(
            identities.identityOf(account),
            identities.identity(account),
            identities.isVerified(account),
            identities.nameOf(account)
        );
    }
}
