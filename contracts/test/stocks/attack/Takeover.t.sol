// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../../src/base/interfaces/IRoles.sol";
import {IServedUpgrade} from "../../../src/base/interfaces/IServedUpgrade.sol";
import {ComplianceModule} from "../../../src/stocks/ComplianceModule.sol";
import {StockFactory} from "../../../src/stocks/StockFactory.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {StockERC20} from "../../../src/stocks/base/StockERC20.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {NextStock} from "../support/NextImplementations.sol";
import {StockTest} from "../support/StockTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// @notice Ways to become the issuer of somebody else's stock.
contract StockTakeoverTest is StockTest {
    function test_attack_initializeAgain() public {
        // 1. The proxies were initialized before anybody could see them.
        IStockToken.StockTerms memory terms = _terms();
        terms.issuer = stranger;
        vm.startPrank(stranger);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        stock.initialize(terms, address(0));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        module.initialize(stranger, 0, 0);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        factory.initialize(stranger);
        // 2. The implementations are locked, so nobody becomes legal operator there.
        StockToken token = StockToken(factory.servedImplementation("stockToken"));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        token.initialize(terms, address(0));
        ComplianceModule rules = ComplianceModule(factory.servedImplementation("complianceModule"));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        rules.initialize(stranger, 0, 0);
        StockFactory made =
            StockFactory(address(uint160(uint256(vm.load(address(factory), ERC1967Utils.IMPLEMENTATION_SLOT)))));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        made.initialize(stranger);
    }

    function test_attack_squatOnTheSalt() public {
        // 1. The issuer announces where its stock will be.
        address announced = factory.predictStock(issuer, "ipo");
        // 2. A stranger sends the same call first.
        IStockToken.StockTerms memory terms = _terms();
        terms.issuer = stranger;
        vm.prank(stranger);
        (address squatted,) = factory.deployStock(terms, 0, 0, "ipo");
        assertTrue(squatted != announced);
        // 3. The owner of the factory serves another implementation meanwhile.
        factory.setImplementation("stockToken", factory.servedImplementation("stockToken"));
        // 4. The address is still the issuer's, whatever its terms are.
        vm.prank(issuer);
        (address token,) = factory.deployStock(_terms(), 7, 0, "ipo");
        assertEq(token, announced);
        assertEq(StockToken(token).owner(), issuer);
    }

    function test_attack_lookAlikeProxy() public {
        // 1. Anyone may run the implementation behind a proxy of their own.
        IStockToken.StockTerms memory terms = _terms();
        terms.issuer = stranger;
        address fake = address(
            new ERC1967Proxy(
                factory.servedImplementation("stockToken"), abi.encodeCall(StockToken.initialize, (terms, address(0)))
            )
        );
        assertEq(StockToken(fake).isin(), stock.isin());
        // 2. The factory does not know it.
        assertFalse(factory.isStock(fake));
    }

    function test_attack_forgedUpgrade() public {
        // 1. The forger makes a later version, of a factory that says what the forger wants.
        address forged = address(new NextStock(address(this), 99));
        // 2. Even the legal operator cannot move the token to it.
        vm.prank(legalOperator);
        vm.expectPartialRevert(IServedUpgrade.NotServed.selector);
        stock.upgradeToAndCall(forged, "");
        // 3. The issuer makes itself legal operator, which its role as admin allows: the same wall.
        bytes32 role = stock.LEGAL_OPERATOR_ROLE();
        vm.startPrank(issuer);
        stock.grantRole(role, issuer);
        vm.expectPartialRevert(IServedUpgrade.NotServed.selector);
        stock.upgradeToAndCall(forged, "");
        vm.stopPrank();
        // 4. The factory's owner serves a good one, and cannot install it: that takes a legal operator.
        address next = address(new NextStock(address(factory), 3));
        factory.setImplementation("stockToken", next);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.upgradeToAndCall(next, "");
        // 5. And nobody goes back.
        address old = address(new NextStock(address(factory), 1));
        vm.prank(legalOperator);
        stock.upgradeToAndCall(next, "");
        factory.setImplementation("stockToken", old);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotAnUpgrade.selector, 3, 1));
        stock.upgradeToAndCall(old, "");
    }

    function test_attack_replayThePermit() public {
        (uint8 v, bytes32 r, bytes32 s) = _sign(stock, block.timestamp);
        // 1. The signature serves once.
        stock.permit(alice, stranger, 10, block.timestamp, v, r, s);
        vm.expectPartialRevert(StockERC20.ERC2612InvalidSigner.selector);
        stock.permit(alice, stranger, 10, block.timestamp, v, r, s);
        // 2. Not on another stock of the same name, although the nonce is the same there.
        (address other,) = factory.deployStock(_terms(), 0, 0, "twin");
        vm.expectPartialRevert(StockERC20.ERC2612InvalidSigner.selector);
        StockToken(other).permit(alice, stranger, 10, block.timestamp, v, r, s);
        // 3. Not on another chain.
        (v, r, s) = _sign(stock, block.timestamp);
        vm.chainId(block.chainid + 1);
        vm.expectPartialRevert(StockERC20.ERC2612InvalidSigner.selector);
        stock.permit(alice, stranger, 10, block.timestamp, v, r, s);
        // 4. And an allowance opens no way around the rules.
        vm.prank(stranger);
        expectRestricted(IStockToken.TransferRestrictionCode.RECEIVER_NOT_ELIGIBLE, "RECEIVER_NOT_VERIFIED");
        stock.transferFrom(alice, stranger, 10);
    }

    function _sign(StockToken token, uint256 deadline) private view returns (uint8, bytes32, bytes32) {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typehash, alice, stranger, 10, token.nonces(alice), deadline));
        return vm.sign(aliceKey, keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), structHash)));
    }
}
