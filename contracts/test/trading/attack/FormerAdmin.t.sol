// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISecurityRegistry} from "../../../src/trading/interfaces/ISecurityRegistry.sol";
import {ISignedOrderSettlement} from "../../../src/trading/interfaces/ISignedOrderSettlement.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";

/// @notice An agent was quicker than the issuer, and leaves something behind in the settings of the security.
contract FormerAdminAttackTest is SettlementTest {
    address private issuer = makeAddress("issuer");
    address private former = makeAddress("former admin");
    StockLikeToken private stock;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, former);
        stock.setController(address(settlement), true);
        stock.mint(seller, 1_000e18);
        _openMarket(address(stock), former);
        // The token changes hands.
        stock.setIssuer(issuer);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    function _claim() private {
        vm.prank(issuer);
        settlement.claimSecurity(address(stock));
    }

    function test_attack_operatorOfTheFormerAdmin() public {
        // 1. The issuer takes the administration over.
        _claim();
        // 2. An operator that the issuer never chose goes on settling.
        assertFalse(settlement.isOperator(address(stock), operator), "operator");
        _refused(
            _fill(_sell(1e18), _buy(1e18), 1e18),
            abi.encodeWithSelector(ISignedOrderSettlement.NotOperator.selector, address(stock), operator)
        );
    }

    function test_attack_moneyAndFeesOfTheFormerAdmin() public {
        _claim();
        // 1. The issuer names an operator, and nothing else yet.
        vm.prank(issuer);
        settlement.setOperator(address(stock), operator, true);
        // 2. Money that the former admin allowed does not count.
        assertFalse(settlement.isQuoteAsset(address(stock), address(cash)), "quote asset");
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        _refused(
            fill,
            abi.encodeWithSelector(ISignedOrderSettlement.QuoteAssetNotAllowed.selector, address(stock), address(cash))
        );
        vm.prank(issuer);
        settlement.setQuoteAsset(address(stock), address(cash), true);
        // 3. Nor do fees flow to a recipient of the former admin.
        assertEq(settlement.securityOf(address(stock)).feeRecipient, address(0), "fee recipient");
        (Order memory sell, Order memory buy) = (_sell(1e18), _buy(1e18));
        buy.maxFee = 1e6;
        fill = _fill(sell, buy, 1e18);
        fill.takerFee = 1e6;
        _refused(fill, abi.encodeWithSelector(ISignedOrderSettlement.NoFeeRecipient.selector, address(stock)));
        fill.takerFee = 0;
        _settle(fill);
    }

    /// A nominee that the former admin left behind takes nothing back.
    function test_attack_nomineeOfTheFormerAdmin() public {
        vm.prank(former);
        settlement.transferSecurityAdmin(address(stock), stranger);
        _claim();
        vm.prank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(ISecurityRegistry.NotPendingSecurityAdmin.selector, address(stock), stranger)
        );
        settlement.acceptSecurityAdmin(address(stock));
    }

    /// What was set before a claim stays away after a second one too.
    function test_attack_claimingBack() public {
        _claim();
        stock.setIssuer(former);
        vm.prank(former);
        settlement.claimSecurity(address(stock));
        assertFalse(settlement.isOperator(address(stock), operator));
    }

    /// Whoever was nominated takes the market over as it is.
    function test_transfer_keepsTheSettings() public {
        vm.prank(former);
        settlement.transferSecurityAdmin(address(stock), stranger);
        vm.prank(stranger);
        settlement.acceptSecurityAdmin(address(stock));
        assertTrue(settlement.isOperator(address(stock), operator));
        assertTrue(settlement.isQuoteAsset(address(stock), address(cash)));
        _settle(_fill(_sell(1e18), _buy(1e18), 1e18));
    }
}
