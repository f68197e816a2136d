// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {DemoSecurity} from "../../../src/demo/DemoSecurity.sol";
import {ISecurityRegistry} from "../../../src/trading/interfaces/ISecurityRegistry.sol";
import {ISignedOrderSettlement} from "../../../src/trading/interfaces/ISignedOrderSettlement.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FeeToken} from "../../support/hostile/CollateralTokens.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice An ERC-3643 security without decimals, delivered by an agent.
contract SettlementWithAgentTest is SettlementTest {
    uint256 private constant SHARES = 1_000;

    address private issuer = makeAddress("issuer");
    address private agent = makeAddress("agent");
    DemoIdentityRegistry private registry;
    DemoCompliance private compliance;
    DemoSecurity private security;

    function setUp() public override {
        super.setUp();
        registry = new DemoIdentityRegistry(issuer);
        compliance = new DemoCompliance(issuer);
        security = new DemoSecurity("Bond", "BOND", 0, address(registry), address(compliance), address(0), issuer);
        vm.startPrank(issuer);
        registry.addAgent(agent);
        security.addAgent(agent);
        security.addAgent(address(settlement));
        vm.stopPrank();
        vm.startPrank(agent);
        registry.registerIdentity(seller, address(1), 276);
        registry.registerIdentity(buyer, address(2), 250);
        security.mint(seller, SHARES);
        vm.stopPrank();
        _openMarket(address(security), issuer);
    }

    function _base() internal view override returns (address) {
        return address(security);
    }

    /* REGISTRATION */

    function test_register_isForAuthoritiesOfTheToken() public {
        DemoSecurity other = _otherSecurity();
        vm.prank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(ISecurityRegistry.NotSecurityAuthority.selector, address(other), stranger)
        );
        settlement.registerSecurity(address(other), ISIN);
        vm.expectEmit();
        emit ISecurityRegistry.SecurityRegistered(address(other), agent, ISIN, 6, TransferRules.ERC3643, false);
        vm.prank(agent);
        settlement.registerSecurity(address(other), ISIN);
        ISecurityRegistry.Security memory registered = settlement.securityOf(address(other));
        assertTrue(registered.isRegistered && registered.isActive && !registered.splits);
        assertEq(registered.admin, agent);
        assertEq(registered.isin, ISIN);
        assertEq(registered.decimals, 6);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(ISecurityRegistry.SecurityAlreadyRegistered.selector, address(other)));
        settlement.registerSecurity(address(other), ISIN);
    }

    function test_claim_bringsTheAdministrationHomeToTheOwner() public {
        DemoSecurity other = _otherSecurity();
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(ISecurityRegistry.SecurityNotRegistered.selector, address(other)));
        settlement.claimSecurity(address(other));
        vm.prank(agent);
        settlement.registerSecurity(address(other), ISIN);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(ISecurityRegistry.NotSecurityAuthority.selector, address(other), agent));
        settlement.claimSecurity(address(other));
        vm.expectEmit();
        emit ISecurityRegistry.SecurityAdminTransferred(address(other), agent, issuer);
        vm.prank(issuer);
        settlement.claimSecurity(address(other));
        assertEq(settlement.securityOf(address(other)).admin, issuer);
    }

    function _otherSecurity() private returns (DemoSecurity other) {
        other = new DemoSecurity(
            "Other", "OTH", 6, address(registry), address(new DemoCompliance(issuer)), address(0), issuer
        );
        vm.prank(issuer);
        other.addAgent(agent);
    }

    function test_admin_aloneChangesTheSecurity() public {
        address token = address(security);
        bytes memory reason = abi.encodeWithSelector(ISecurityRegistry.NotSecurityAdmin.selector, token, agent);
        vm.startPrank(agent);
        vm.expectRevert(reason);
        settlement.setQuoteAsset(token, address(cash), false);
        vm.expectRevert(reason);
        settlement.setOperator(token, agent, true);
        vm.expectRevert(reason);
        settlement.setFeeRecipient(token, agent);
        vm.expectRevert(reason);
        settlement.deactivateSecurity(token);
        vm.expectRevert(reason);
        settlement.activateSecurity(token);
        vm.expectRevert(reason);
        settlement.refreshSecurity(token);
        vm.expectRevert(reason);
        settlement.transferSecurityAdmin(token, agent);
        vm.stopPrank();
        vm.startPrank(issuer);
        vm.expectEmit();
        emit ISecurityRegistry.QuoteAssetSet(token, address(1), true);
        settlement.setQuoteAsset(token, address(1), true);
        vm.expectEmit();
        emit ISecurityRegistry.OperatorSet(token, agent, true);
        settlement.setOperator(token, agent, true);
        vm.expectEmit();
        emit ISecurityRegistry.FeeRecipientSet(token, agent);
        settlement.setFeeRecipient(token, agent);
        vm.expectEmit();
        emit ISecurityRegistry.SecurityRulesRead(token, TransferRules.ERC3643, false);
        settlement.refreshSecurity(token);
        vm.stopPrank();
        assertTrue(settlement.isQuoteAsset(token, address(1)) && settlement.isOperator(token, agent));
    }

    function test_admin_movesInTwoSteps() public {
        address token = address(security);
        vm.expectEmit();
        emit ISecurityRegistry.SecurityAdminTransferStarted(token, issuer, stranger);
        vm.prank(issuer);
        settlement.transferSecurityAdmin(token, stranger);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(ISecurityRegistry.NotPendingSecurityAdmin.selector, token, agent));
        settlement.acceptSecurityAdmin(token);
        vm.prank(stranger);
        settlement.acceptSecurityAdmin(token);
        assertEq(settlement.securityOf(token).admin, stranger);
        assertEq(settlement.securityOf(token).pendingAdmin, address(0));
    }

    /* SETTLEMENT */

    function test_settle_movesBothLegsAndTheFee() public {
        Order memory sell = _sell(10);
        Order memory buy = _buy(10);
        (sell.maxFee, buy.maxFee) = (10e6, 10e6);
        Fill memory fill = _fill(sell, buy, 4);
        (fill.makerFee, fill.takerFee) = (-1e6, 3e6);
        vm.expectEmit();
        emit ISignedOrders.TradeSettled(
            fill.tradeRef,
            settlement.hashOrder(sell),
            settlement.hashOrder(buy),
            seller,
            buyer,
            address(security),
            address(cash),
            4,
            400e6,
            -1e6,
            3e6
        );
        _settle(fill);
        assertEq(security.balanceOf(seller), SHARES - 4);
        assertEq(security.balanceOf(buyer), 4);
        assertEq(cash.balanceOf(buyer), CASH - 403e6);
        assertEq(cash.balanceOf(seller), 401e6);
        assertEq(cash.balanceOf(feeRecipient), 2e6);
        assertEq(settlement.fillable(sell), 6);
        assertTrue(_isSettled(fill));
        assertEq(cash.balanceOf(address(settlement)), 0, "holds nothing");
    }

    function testFuzz_settle_conservesEveryUnit(uint256 quantity, uint256 price, bool makerIsBuyer, uint256 fees)
        public
    {
        quantity = bound(quantity, 1, SHARES);
        price = bound(price, 1, 50e6);
        uint256 takerFee = bound(fees & type(uint128).max, 0, quantity * price);
        int256 makerFee = bound(int256(fees >> 128), -int256(takerFee), int256(quantity * price));
        Order memory sell = _order(seller, false, quantity, price);
        Order memory buy = _order(buyer, true, quantity, price);
        (sell.maxFee, buy.maxFee) = (type(uint256).max, type(uint256).max);
        Fill memory fill = makerIsBuyer ? _fill(buy, sell, quantity) : _fill(sell, buy, quantity);
        (fill.makerFee, fill.takerFee) = (makerFee, takerFee);
        _settle(fill);
        uint256 sum = cash.balanceOf(seller) + cash.balanceOf(buyer) + cash.balanceOf(feeRecipient);
        assertEq(sum, CASH);
        assertEq(cash.balanceOf(feeRecipient), uint256(int256(takerFee) + makerFee));
        assertEq(security.balanceOf(buyer), quantity);
    }

    function test_settle_isForOperatorsOfThatSecurity() public {
        Fill memory fill = _fill(_sell(10), _buy(10), 4);
        address[2] memory others = [stranger, issuer];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(
                abi.encodeWithSelector(ISignedOrderSettlement.NotOperator.selector, address(security), others[i])
            );
            settlement.settleTrade(fill);
        }
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.NotSelf.selector, operator));
        settlement.settleFromBatch(fill, operator);
    }

    function test_settle_needsAQuoteAssetThatIsAllowed() public {
        Fill memory fill = _fill(_sell(10), _buy(10), 4);
        vm.prank(issuer);
        settlement.setQuoteAsset(address(security), address(cash), false);
        _refused(
            fill,
            abi.encodeWithSelector(
                ISignedOrderSettlement.QuoteAssetNotAllowed.selector, address(security), address(cash)
            )
        );
    }

    function test_settle_needsAFeeRecipientForFees() public {
        vm.prank(issuer);
        settlement.setFeeRecipient(address(security), address(0));
        Order memory buy = _buy(10);
        buy.maxFee = 10e6;
        Fill memory fill = _fill(_sell(10), buy, 4);
        fill.takerFee = 1;
        _refused(fill, abi.encodeWithSelector(ISignedOrderSettlement.NoFeeRecipient.selector, address(security)));
        fill.takerFee = 0;
        _settle(fill);
    }

    function test_settle_worksWhenAPartyIsTheFeeRecipient() public {
        Order memory buy = _buy(10);
        buy.maxFee = 10e6;
        Fill memory fill = _fill(_sell(10), buy, 10);
        fill.takerFee = 5e6;
        vm.prank(issuer);
        settlement.setFeeRecipient(address(security), buyer);
        _settle(fill);
        assertEq(cash.balanceOf(buyer), CASH - 1_000e6);
    }

    function test_settle_needsTheBuyersMoneyAndAllowance() public {
        assertEq(settlement.spendable(address(cash), buyer), CASH);
        vm.prank(buyer);
        cash.approve(address(settlement), 399e6);
        assertEq(settlement.spendable(address(cash), buyer), 399e6);
        Fill memory fill = _fill(_sell(10), _buy(10), 4);
        _refused(
            fill,
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(settlement), 399e6, 400e6)
        );
        assertEq(security.balanceOf(buyer), 0, "neither leg");
        assertEq(_filled(fill.maker), 0);
    }

    function test_settle_revertsForMoneyThatKeepsAFee() public {
        FeeToken keeper = new FeeToken(6);
        vm.prank(issuer);
        settlement.setQuoteAsset(address(security), address(keeper), true);
        keeper.mint(buyer, CASH);
        vm.prank(buyer);
        keeper.approve(address(settlement), CASH);
        keeper.setOn(true);
        (Order memory sell, Order memory buy) = (_sell(10), _buy(10));
        (sell.quote, buy.quote) = (address(keeper), address(keeper));
        _refused(
            _fill(sell, buy, 4),
            abi.encodeWithSelector(
                ISignedOrderSettlement.CashLegFailed.selector, address(keeper), seller, 400e6, 400e6, 396e6
            )
        );
    }

    /// One venue's signatures are worth nothing at another, though the order is the same.
    function test_settle_revertsForASignatureOfAnotherChain() public {
        Fill memory fill = _fill(_sell(10), _buy(10), 4);
        vm.chainId(block.chainid + 1);
        bytes32 orderHash = settlement.hashOrder(fill.maker);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.BadSignature.selector, seller, orderHash));
    }

    /* DELIVERY */

    function _code() private view returns (uint8 code) {
        (code,) = settlement.deliveryCheck(address(security), seller, buyer, 10);
    }

    /// Each condition in turn, the check and the settlement saying the same.
    function _expectCode(uint8 code) private {
        assertEq(_code(), code);
        _refused(
            _fill(_sell(10), _buy(10), 10),
            abi.encodeWithSelector(ISignedOrderSettlement.DeliveryRefused.selector, address(security), code, 0)
        );
    }

    function test_delivery_saysWhyItWouldFail() public {
        assertEq(_code(), 0);
        assertEq(settlement.deliveryScheme(address(security)), 1);
        (uint8 code,) = settlement.deliveryCheck(address(1), seller, buyer, 10);
        assertEq(code, 1);
        (code,) = settlement.deliveryCheck(address(security), seller, address(0), 10);
        assertEq(code, 3);

        vm.expectEmit();
        emit ISecurityRegistry.SecurityActive(address(security), false);
        vm.prank(issuer);
        settlement.deactivateSecurity(address(security));
        _expectCode(2);
        vm.prank(issuer);
        settlement.activateSecurity(address(security));

        vm.prank(agent);
        security.pause();
        _expectCode(4);
        assertEq(settlement.restingCheck(address(security), seller, 10), 4);
        vm.prank(agent);
        security.unpause();

        vm.prank(agent);
        security.setAddressFrozen(seller, true);
        _expectCode(5);
        vm.startPrank(agent);
        security.setAddressFrozen(seller, false);
        security.setAddressFrozen(buyer, true);
        vm.stopPrank();
        _expectCode(6);
        assertEq(settlement.restingCheck(address(security), seller, 10), 0);
        vm.prank(agent);
        security.setAddressFrozen(buyer, false);

        vm.prank(agent);
        registry.deleteIdentity(buyer);
        _expectCode(9);
        vm.prank(agent);
        registry.registerIdentity(buyer, address(2), 250);

        vm.prank(agent);
        security.freezePartialTokens(seller, SHARES - 9);
        _expectCode(10);
        assertEq(settlement.restingCheck(address(security), seller, 10), 10);
        vm.prank(agent);
        security.unfreezePartialTokens(seller, SHARES - 9);

        vm.prank(issuer);
        compliance.setMaxBalance(9);
        _expectCode(12);
        vm.prank(issuer);
        compliance.setMaxBalance(10);

        vm.prank(issuer);
        security.removeAgent(address(settlement));
        _expectCode(14);
        assertEq(settlement.restingCheck(address(security), seller, 10), 14);
        assertEq(settlement.deliveryScheme(address(security)), 0);
        vm.prank(issuer);
        security.addAgent(address(settlement));
        _settle(_fill(_sell(10), _buy(10), 10));
    }

    function test_delivery_needsARegistryAndAComplianceThatAnswer() public {
        vm.prank(issuer);
        security.setIdentityRegistry(stranger);
        _expectCode(7);
        assertEq(settlement.restingCheck(address(security), seller, 10), 7);
        vm.prank(issuer);
        security.setIdentityRegistry(address(cash));
        _expectCode(8);
        vm.prank(issuer);
        security.setIdentityRegistry(address(registry));
        vm.etch(address(compliance), address(cash).code);
        _expectCode(11);
        vm.etch(address(compliance), "");
        _expectCode(11);
    }

    /// The agent role could take frozen shares; the seller's signature cannot.
    function test_delivery_leavesFrozenSharesAlone() public {
        vm.prank(agent);
        security.freezePartialTokens(seller, SHARES - 10);
        _settle(_fill(_sell(10), _buy(10), 10));
        assertEq(security.getFrozenTokens(seller), SHARES - 10);
        _expectCode(10);
    }

    /* BATCH */

    function test_batch_settlesTheRestWhenOneLegFails() public {
        address poor = _trader("poor");
        vm.prank(agent);
        registry.registerIdentity(poor, address(3), 250);
        Order memory sell = _sell(10);
        Fill[] memory fills = new Fill[](3);
        fills[0] = _fill(sell, _buy(4), 4);
        fills[1] = _fill(sell, _order(poor, true, 3, PRICE), 3);
        fills[2] = _fill(sell, _buy(6), 6);
        bytes memory reason =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(settlement), 0, 300e6);
        vm.expectEmit();
        emit ISignedOrders.FillRefused(
            fills[1].tradeRef, address(security), IERC20Errors.ERC20InsufficientAllowance.selector, reason
        );
        vm.expectEmit();
        emit ISignedOrders.BatchSettled("batch", operator, 2, 3, 3);
        vm.prank(operator);
        settlement.batchSettleTrades("batch", fills, 0);
        assertEq(_filled(sell), 10);
        assertEq(security.balanceOf(poor), 0);
    }

    /// An operator of something else must not even leave an event about a trade that is not its own.
    function test_batch_revertsForFillsOfASecurityOfOthers() public {
        DemoSecurity other = _otherSecurity();
        vm.startPrank(agent);
        settlement.registerSecurity(address(other), ISIN);
        settlement.setOperator(address(other), stranger, true);
        vm.stopPrank();
        Fill[] memory fills = new Fill[](2);
        (fills[0], fills[1]) = (_fill(_sell(10), _buy(10), 4), _fill(_sell(10), _buy(10), 4));
        fills[0].maker.token = address(other);
        vm.prank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(ISignedOrderSettlement.NotOperator.selector, address(security), stranger)
        );
        settlement.batchSettleTrades("batch", fills, 1);
    }
}
