// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {ISecurityRegistry} from "../../../src/trading/interfaces/ISecurityRegistry.sol";
import {ISignedOrderSettlement} from "../../../src/trading/interfaces/ISignedOrderSettlement.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {HookedCash, Reentrant} from "../../support/hostile/HookedCash.sol";
import {HostileSecurity, RestrictedSecurity} from "../support/HostileLegs.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice A share that speaks for itself, delivered by a controller, and what a hostile one may try.
contract SettlementWithControllerTest is SettlementTest {
    uint256 private constant SHARES = 1_000e18;

    address private issuer = makeAddress("issuer");
    StockLikeToken private stock;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, issuer);
        stock.setController(address(settlement), true);
        stock.mint(seller, SHARES);
        _openMarket(address(stock), issuer);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    function _refusedByRules(uint8 tokenCode) private {
        _refused(
            _fill(_sell(1e18), _buy(1e18), 1e18),
            abi.encodeWithSelector(ISignedOrderSettlement.DeliveryRefused.selector, address(stock), 13, tokenCode)
        );
    }

    function test_register_readsWhatTheTokenSpeaks() public view {
        ISecurityRegistry.Security memory security = settlement.securityOf(address(stock));
        assertTrue(security.rules == TransferRules.CAN_TRANSFER && security.splits);
        assertEq(settlement.deliveryScheme(address(stock)), 2);
    }

    function test_register_revertsForWhatHasNoDecimals() public {
        NoDecimalsOwned token = new NoDecimalsOwned();
        vm.expectRevert(abi.encodeWithSelector(ISecurityRegistry.SecurityUnreadable.selector, address(token)));
        settlement.registerSecurity(address(token), ISIN);
    }

    function test_settle_deliversAsController() public {
        _settle(_fill(_sell(2e18), _buy(2e18), 1e18));
        assertEq(stock.balanceOf(buyer), 1e18);
        assertEq(cash.balanceOf(seller), 100e6);
    }

    function test_delivery_hearsTheTokensOwnRules() public {
        stock.setCode(buyer, 5);
        (uint8 code, uint8 tokenCode) = settlement.deliveryCheck(address(stock), seller, buyer, 1e18);
        assertTrue(code == 13 && tokenCode == 5);
        _refusedByRules(5);
        stock.setCode(buyer, 0);
        stock.setMode(StockLikeToken.Mode.REVERTS);
        _refusedByRules(255);
        stock.setMode(StockLikeToken.Mode.BURNS_GAS);
        _refusedByRules(255);
        stock.setMode(StockLikeToken.Mode.ANSWERS_TOO_MUCH);
        _settle(_fill(_sell(1e18), _buy(1e18), 1e18));
    }

    function test_delivery_checksRegistryAndFreezesOfSuchTokensToo() public {
        stock.setUnverified(buyer, true);
        (uint8 code,) = settlement.deliveryCheck(address(stock), seller, buyer, 1e18);
        assertEq(code, 9);
        stock.setUnverified(buyer, false);
        stock.setFrozen(seller, true);
        (code,) = settlement.deliveryCheck(address(stock), seller, buyer, 1e18);
        assertEq(code, 5);
    }

    /// A controller takes frozen shares before free ones, so somebody else's freeze would fall: the trade is undone.
    function test_delivery_asControllerNeverTouchesWhatIsFrozen() public {
        stock.freezeTokens(seller, 10e18);
        _refused(
            _fill(_sell(1e18), _buy(1e18), 1e18),
            abi.encodeWithSelector(
                ISignedOrderSettlement.FrozenPartTouched.selector, address(stock), seller, 10e18, 9e18
            )
        );
    }

    function test_split_killsOrdersFromBefore() public {
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        stock.setRatio(2, 1);
        bytes16 prefix = settlement.saltPrefix(address(stock), address(cash));
        bytes32 orderHash = settlement.hashOrder(fill.maker);
        assertEq(settlement.fillable(fill.maker), 0);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SaltPrefixMismatch.selector, orderHash, prefix));
        (fill.maker.salt, fill.taker.salt) = (prefix, prefix);
        _signBoth(fill);
        _settle(fill);
        stock.setSplitSilent(true);
        fill.tradeRef = "again";
        assertEq(
            bytes32(bytes8(settlement.saltPrefix(address(stock), address(cash)))), bytes32(bytes8(type(uint64).max))
        );
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(stock)));
    }

    /* ERC-1404 */

    function test_delivery_hearsRestrictionCodes() public {
        DemoIdentityRegistry registry = new DemoIdentityRegistry(address(this));
        RestrictedSecurity bond =
            new RestrictedSecurity(address(registry), address(new DemoCompliance(address(this))), address(this));
        registry.addAgent(address(this));
        registry.registerIdentity(seller, address(1), 276);
        registry.registerIdentity(buyer, address(2), 276);
        bond.addAgent(address(this));
        bond.addAgent(address(settlement));
        bond.mint(seller, 100);
        _openMarket(address(bond), address(this));
        assertTrue(settlement.securityOf(address(bond)).rules == TransferRules.ERC1404);
        bond.setCode(buyer, 42);
        (uint8 code, uint8 tokenCode) = settlement.deliveryCheck(address(bond), seller, buyer, 10);
        assertTrue(code == 13 && tokenCode == 42);
        bond.setCode(buyer, 0);
        (Order memory sell, Order memory buy) = (_sell(10), _buy(10));
        (sell.token, buy.token) = (address(bond), address(bond));
        _settle(_fill(sell, buy, 10));
        assertEq(bond.balanceOf(buyer), 10);
    }

    /* HOSTILE SECURITIES */

    function _hostile() private returns (HostileSecurity hostile, Fill memory fill) {
        hostile = new HostileSecurity(issuer);
        hostile.mint(seller, 100);
        _openMarket(address(hostile), issuer);
        (Order memory sell, Order memory buy) = (_sell(10), _buy(10));
        (sell.token, buy.token) = (address(hostile), address(hostile));
        fill = _fill(sell, buy, 10);
    }

    function test_hostileSecurity_thatMovesAnotherAmountMovesNothing() public {
        (HostileSecurity hostile, Fill memory fill) = _hostile();
        hostile.setLeg(HostileSecurity.Leg.SENDS_LESS);
        _refused(
            fill, abi.encodeWithSelector(ISignedOrderSettlement.SecurityLegFailed.selector, address(hostile), 10, 9, 9)
        );
        hostile.setLeg(HostileSecurity.Leg.KEEPS_ONE);
        _refused(
            fill, abi.encodeWithSelector(ISignedOrderSettlement.SecurityLegFailed.selector, address(hostile), 10, 10, 9)
        );
        hostile.setLeg(HostileSecurity.Leg.HONEST);
        _settle(fill);
    }

    /// 100 kB of reason: the event carries 260 bytes, and the rest of the batch settles.
    function test_hostileSecurity_cannotFillTheLogs() public {
        (HostileSecurity hostile, Fill memory fill) = _hostile();
        hostile.setLeg(HostileSecurity.Leg.REVERTS_LOUDLY);
        Fill[] memory fills = new Fill[](2);
        (fills[0], fills[1]) = (fill, _fill(_sell(1e18), _buy(1e18), 1e18));
        vm.expectEmit();
        emit ISignedOrders.FillRefused(fill.tradeRef, address(hostile), bytes4(0), new bytes(260));
        vm.prank(operator);
        (uint256 settled,) = settlement.batchSettleTrades("batch", fills, 2);
        assertEq(settled, 1);
    }

    /// Money with hooks gives the seller the floor in the middle: neither a second settlement nor the frozen part.
    function test_hookedMoney_cannotReenter() public {
        HookedCash hooked = new HookedCash(6, address(this));
        Reentrant attacker = new Reentrant();
        vm.prank(issuer);
        settlement.setQuoteAsset(address(stock), address(hooked), true);
        hooked.mint(buyer, CASH);
        vm.prank(buyer);
        hooked.approve(address(settlement), CASH);
        (Order memory sell, Order memory buy) = (_sell(2e18), _buy(2e18));
        (sell.quote, buy.quote) = (address(hooked), address(hooked));
        Fill memory fill = _fill(sell, buy, 1e18);
        Fill memory second = _fill(sell, buy, 1e18);
        vm.prank(issuer);
        settlement.setOperator(address(stock), address(attacker), true);
        attacker.prepare(address(settlement), abi.encodeCall(ISignedOrderSettlement.settleTrade, (second)));
        hooked.setHook(address(attacker));
        _settle(fill);
        assertEq(attacker.attempts(), 1);
        assertFalse(attacker.succeeded());
        assertEq(
            attacker.reason(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        assertEq(_filled(sell), 1e18);
    }
}

/// @notice Owned by whoever made it, and says nothing else.
contract NoDecimalsOwned {
    address public owner = msg.sender;
}
