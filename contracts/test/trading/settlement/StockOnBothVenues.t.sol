// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockToken} from "../../../src/stocks/StockToken.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {ISignedOrderSettlement} from "../../../src/trading/interfaces/ISignedOrderSettlement.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {PlainRegistry} from "../../stocks/support/PlainRegistry.sol";
import {StockSuite} from "../../stocks/support/StockSuite.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {VaultSuite} from "../support/VaultSuite.sol";

/// @notice Our own stock token on both venues: in the pooled vault, and between wallets by agent and by controller.
contract StockOnBothVenuesTest is SettlementTest {
    uint256 private constant SHARES = 1_000;

    address private issuer = makeAddress("issuer");
    address private controller = makeAddress("controller");
    PlainRegistry private registry;
    StockToken private stock;
    ITradingVault private vault;

    function setUp() public override {
        super.setUp();
        registry = new PlainRegistry();
        StockSuite stocks = StockSuite(_create("StockSuite.sol:StockSuite", abi.encode(address(this))));
        IStockToken.StockTerms memory terms;
        (terms.name, terms.symbol, terms.isin) = ("Example AG", "EXA", "DE0001234567");
        (terms.identityRegistry, terms.issuer) = (address(registry), issuer);
        (address token,) = stocks.factory().deployStock(terms, 0, 0, "first");
        stock = StockToken(token);
        registry.verify(seller);
        registry.verify(buyer);
        vault = VaultSuite(_create("VaultSuite.sol:VaultSuite", abi.encode(admin, operator, feeRecipient))).vault();
        vm.startPrank(issuer);
        stock.issue(seller, SHARES, "first issue");
        stock.addController(controller);
        stock.addAuthorizedContract(address(vault));
        vm.stopPrank();
        _openMarket(token, issuer);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    function _orders(uint256 quantity) private returns (Order memory sell, Order memory buy) {
        return (_current(_sell(quantity)), _current(_buy(quantity)));
    }

    function _trade(uint256 quantity) private returns (Fill memory) {
        (Order memory sell, Order memory buy) = _orders(quantity);
        return _fill(sell, buy, quantity);
    }

    function _refusedBy(uint8 code, uint8 tokenCode) private {
        (uint8 found, uint8 foundToken) = settlement.deliveryCheck(address(stock), seller, buyer, 10);
        assertTrue(found == code && foundToken == tokenCode, "check");
        _refused(
            _trade(10),
            abi.encodeWithSelector(ISignedOrderSettlement.DeliveryRefused.selector, address(stock), code, tokenCode)
        );
    }

    function test_wallets_deliveryByAgent() public {
        _refusedBy(14, 0);
        vm.prank(issuer);
        stock.addAgent(address(settlement));
        assertTrue(settlement.securityOf(address(stock)).rules == TransferRules.CAN_TRANSFER);
        vm.prank(issuer);
        stock.setLockup(seller, uint64(block.timestamp + 1));
        _refusedBy(13, 5);
        skipTime(1);
        vm.prank(controller);
        stock.freezeTokens(seller, SHARES - 10);
        _settle(_trade(10));
        assertEq(stock.balanceOf(buyer), 10);
        assertEq(stock.getFrozenTokens(seller), SHARES - 10);
        _refusedBy(10, 0);
    }

    function test_wallets_deliveryByControllerLeavesFrozenSharesAlone() public {
        vm.prank(issuer);
        stock.addController(address(settlement));
        _settle(_trade(10));
        vm.prank(controller);
        stock.freezeTokens(seller, 5);
        _refused(
            _trade(10),
            abi.encodeWithSelector(ISignedOrderSettlement.FrozenPartTouched.selector, address(stock), seller, 5, 0)
        );
    }

    function test_wallets_splitKillsOrdersFromBefore() public {
        vm.prank(issuer);
        stock.addAgent(address(settlement));
        Fill memory old = _trade(10);
        vm.prank(issuer);
        stock.stockSplit(2, 1, 1);
        assertEq(stock.splitHoldersLeft(), 0);
        assertEq(settlement.fillable(old.maker), 0);
        _settle(_trade(10));
    }

    function test_vault_followsTheStockThroughASplit() public {
        vm.startPrank(admin);
        vault.addToken(address(stock), TransferRules.CAN_TRANSFER, true);
        vault.addToken(address(cash), TransferRules.NONE, false);
        vm.stopPrank();
        vm.startPrank(seller);
        stock.approve(address(vault), SHARES);
        vault.depositAndCommit(address(stock), SHARES);
        vm.stopPrank();
        vm.startPrank(buyer);
        cash.approve(address(vault), CASH);
        vault.depositAndCommit(address(cash), CASH);
        vm.stopPrank();

        Fill memory fill = _vaultFill(10);
        registry.bar(buyer, true);
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(
                ITradingVault.TokenRuleRefused.selector, address(stock), buyer, 2, bytes32("RECEIVER_NOT_VERIFIED")
            )
        );
        vault.settle(fill);
        registry.bar(buyer, false);
        vm.prank(operator);
        vault.settle(fill);

        vm.prank(issuer);
        stock.stockSplit(3, 1, type(uint256).max);
        fill = _vaultFill(30);
        vm.prank(operator);
        vault.settle(fill);
        assertEq(vault.accountOf(seller, address(stock)).committed, 3 * (SHARES - 10) - 30);
        assertEq(vault.accountOf(buyer, address(stock)).free, 60);
        vm.prank(buyer);
        vault.withdraw(address(stock), 60);
        assertEq(stock.balanceOf(buyer), 60);
        assertEq(vault.bookedOf(address(stock)), stock.balanceOf(address(vault)));
    }

    function _vaultFill(uint256 quantity) private returns (Fill memory fill) {
        fill = _fill(_sell(quantity), _buy(quantity), quantity);
        bytes16 prefix = vault.saltPrefix(address(stock), address(cash));
        (fill.maker.salt, fill.taker.salt) = (fill.maker.salt | prefix, fill.taker.salt | prefix);
        fill.makerSignature = signDigest(keyOf[seller], vault.hashOrder(fill.maker));
        fill.takerSignature = signDigest(keyOf[buyer], vault.hashOrder(fill.taker));
    }
}
