// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IServedUpgrade} from "../../src/base/interfaces/IServedUpgrade.sol";
import {ComplianceModule} from "../../src/stocks/ComplianceModule.sol";
import {StockFactory} from "../../src/stocks/StockFactory.sol";
import {StockToken} from "../../src/stocks/StockToken.sol";
import {IComplianceModule} from "../../src/stocks/interfaces/IComplianceModule.sol";
import {IStockFactory} from "../../src/stocks/interfaces/IStockFactory.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {NextModule, NextStock} from "./support/NextImplementations.sol";
import {StockTest} from "./support/StockTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

contract StockFactoryTest is StockTest {
    /* DEPLOYMENT */

    function testFuzz_deployStock_putsTheTokenWherePredicted(address deployer, bytes32 salt) public {
        vm.assume(deployer != address(0));
        address predicted = factory.predictStock(deployer, salt);
        vm.prank(deployer);
        (address token, address module_) = factory.deployStock(_terms(), 10, 5, salt);
        assertEq(token, predicted);
        assertTrue(factory.isStock(token));
        assertFalse(factory.isStock(module_));
        assertEq(factory.issuerAtDeployment(token), issuer);
        assertEq(factory.stockCount(), 2);
        assertEq(factory.stockAt(1), token);
        assertEq(StockToken(token).complianceModule(), module_);
        assertEq(ComplianceModule(module_).token(), token);
        (uint256 max, uint256 min) = ComplianceModule(module_).defaultLimits();
        assertEq(max, 10);
        assertEq(min, 5);
    }

    function test_deployStock_tellsWhatItMade() public {
        address predicted = factory.predictStock(alice, "salt");
        vm.expectEmit(true, true, true, false, address(factory));
        emit IStockFactory.StockDeployed(predicted, issuer, alice, address(0), "");
        vm.prank(alice);
        factory.deployStock(_terms(), 0, 0, "salt");
    }

    function test_deployStock_refusesOddTerms() public {
        IStockToken.StockTerms memory terms = _terms();
        terms.issuer = address(0);
        vm.expectRevert(IStockFactory.IssuerIsZero.selector);
        factory.deployStock(terms, 0, 0, "second");
        terms = _terms();
        terms.decimals = 19;
        vm.expectRevert(abi.encodeWithSelector(IStockToken.DecimalsTooHigh.selector, 19));
        factory.deployStock(terms, 0, 0, "second");
        terms = _terms();
        terms.identityRegistry = stranger;
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotAContract.selector, stranger));
        factory.deployStock(terms, 0, 0, "second");
        vm.expectRevert(abi.encodeWithSelector(IComplianceModule.LimitsCrossed.selector, 1, 2));
        factory.deployStock(_terms(), 1, 2, "second");
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.AlreadyDeployed.selector, address(stock)));
        factory.deployStock(_terms(), 0, 0, "first");
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.NotAStock.selector, stranger));
        factory.issuerAtDeployment(stranger);
    }

    function test_deployStock_makesTheIssuerLegalOperatorWhereNoneIsNamed() public {
        IStockToken.StockTerms memory terms = _terms();
        (terms.legalOperator, terms.allowSubIssuers, terms.decimals) = (address(0), false, 18);
        (address token,) = factory.deployStock(terms, 0, 0, "second");
        assertTrue(StockToken(token).isLegalOperator(issuer));
        assertFalse(StockToken(token).subIssuersAllowed());
        assertEq(StockToken(token).decimals(), 18);
    }

    /* OWNER */

    function test_ownership_movesInTwoSteps() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.OwnableUnauthorizedAccount.selector, alice));
        factory.transferOwnership(alice);
        vm.expectEmit(address(factory));
        emit IStockFactory.OwnershipTransferStarted(address(this), alice);
        factory.transferOwnership(alice);
        assertEq(factory.owner(), address(this));
        assertEq(factory.pendingOwner(), alice);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.OwnableUnauthorizedAccount.selector, bob));
        factory.acceptOwnership();
        vm.expectEmit(address(factory));
        emit IStockFactory.OwnershipTransferred(address(this), alice);
        vm.prank(alice);
        factory.acceptOwnership();
        assertEq(factory.owner(), alice);
        assertEq(factory.pendingOwner(), address(0));
    }

    function test_setImplementation_servesItsOwnOnly() public {
        address served = factory.servedImplementation("stockToken");
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.OwnableUnauthorizedAccount.selector, alice));
        factory.setImplementation("stockToken", served);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.UnknownKind.selector, bytes32("market")));
        factory.setImplementation("market", served);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.NotForThisFactory.selector, stranger));
        factory.setImplementation("stockToken", stranger);
        address foreign = address(new ComplianceModule(address(1)));
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.NotForThisFactory.selector, foreign));
        factory.setImplementation("complianceModule", foreign);
        vm.expectEmit(address(factory));
        emit IStockFactory.ImplementationSet("stockToken", served);
        factory.setImplementation("stockToken", served);
    }

    function test_deployStock_needsWhatIsServed() public {
        StockFactory empty = StockFactory(
            address(
                new ERC1967Proxy(
                    _implementationOf(address(factory)), abi.encodeCall(StockFactory.initialize, (address(this)))
                )
            )
        );
        assertEq(empty.version(), 1);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.NoImplementation.selector, bytes32("complianceModule")));
        empty.deployStock(_terms(), 0, 0, "salt");
    }

    function test_initialize_needsAnOwner() public {
        bytes memory call = abi.encodeCall(StockFactory.initialize, (address(0)));
        address implementation = _implementationOf(address(factory));
        vm.expectRevert(IStockFactory.OwnerIsZero.selector);
        new ERC1967Proxy(implementation, call);
    }

    /* UPGRADES */

    function test_upgrade_ofTheFactoryIsItsOwners() public {
        address next = _implementationOf(address(factory));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IStockFactory.OwnableUnauthorizedAccount.selector, alice));
        factory.upgradeToAndCall(next, "");
        factory.upgradeToAndCall(next, "");
        assertTrue(factory.isStock(address(stock)));
    }

    function test_upgrade_ofATokenIsServedAndAuthorised() public {
        address next = address(new NextStock(address(factory), 3));
        address served = factory.servedImplementation("stockToken");
        vm.prank(legalOperator);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotServed.selector, next, served));
        stock.upgradeToAndCall(next, "");
        vm.prank(legalOperator);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotAnUpgrade.selector, 2, 2));
        stock.upgradeToAndCall(served, "");
        factory.setImplementation("stockToken", next);
        vm.prank(issuer);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.upgradeToAndCall(next, "");
        vm.prank(legalOperator);
        stock.upgradeToAndCall(next, "");
        assertEq(stock.implementationVersion(), 3);
        assertEq(NextStock(address(stock)).totalSupply(), 1_500);
        assertEq(NextStock(address(stock)).holders()[1], bob);
    }

    function test_upgrade_ofAModuleIsServedAndAuthorised() public {
        address next = address(new NextModule(address(factory)));
        vm.prank(issuer);
        stock.setDefaultLimits(10_000, 10);
        vm.prank(legalOperator);
        vm.expectPartialRevert(IServedUpgrade.NotServed.selector);
        module.upgradeToAndCall(next, "");
        factory.setImplementation("complianceModule", next);
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IComplianceModule.NotLegalOperator.selector, issuer));
        module.upgradeToAndCall(next, "");
        vm.prank(legalOperator);
        module.upgradeToAndCall(next, "");
        (uint256 max, uint256 min) = module.defaultLimits();
        assertEq(max, 10_000);
        assertEq(min, 10);
    }

    function _implementationOf(address proxy) private view returns (address) {
        return address(uint160(uint256(vm.load(proxy, ERC1967Utils.IMPLEMENTATION_SLOT))));
    }
}
