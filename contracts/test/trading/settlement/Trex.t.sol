// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrderSettlement} from "../../../src/trading/interfaces/ISignedOrderSettlement.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {TrexSuite} from "../../support/trex/TrexSuite.sol";
import {SettlementTest} from "../support/SettlementTest.sol";

/// @notice The same with the ERC-3643 suite of its authors, claims and all.
contract TrexSettlementTest is SettlementTest, TrexSuite {
    uint256 private constant SHARES = 1_000e18;

    address private transferAgent = makeAddress("transfer agent");

    function setUp() public override {
        super.setUp();
        _deployTrex(transferAgent, 18);
        _registerHolder(seller);
        _registerHolder(buyer);
        security.addAgent(address(settlement));
        vm.prank(transferAgent);
        security.mint(seller, SHARES);
        _openMarket(address(security), address(this));
    }

    function _base() internal view override returns (address) {
        return address(security);
    }

    function _expectCode(uint8 code) private {
        (uint8 found,) = settlement.deliveryCheck(address(security), seller, buyer, 10e18);
        assertEq(found, code);
        _refused(
            _fill(_sell(10e18), _buy(10e18), 10e18),
            abi.encodeWithSelector(ISignedOrderSettlement.DeliveryRefused.selector, address(security), code, 0)
        );
    }

    /// A sell order fills in two parts; between them everything goes wrong once, and nothing moves meanwhile.
    function test_story_deliveryVersusPaymentOfATrexToken() public {
        Order memory sell = _sell(20e18);
        sell.maxFee = 4e6;
        Order memory buy = _buy(10e18);
        buy.maxFee = 2e6;
        Fill memory fill = _fill(sell, buy, 10e18);
        (fill.makerFee, fill.takerFee) = (1e6, 2e6);
        _settle(fill);
        assertEq(security.balanceOf(buyer), 10e18);
        assertEq(cash.balanceOf(seller), 999e6);
        assertEq(cash.balanceOf(buyer), CASH - 1_002e6);
        assertEq(cash.balanceOf(feeRecipient), 3e6);

        vm.prank(transferAgent);
        security.pause();
        _expectCode(4);
        vm.startPrank(transferAgent);
        security.unpause();
        security.setAddressFrozen(seller, true);
        vm.stopPrank();
        _expectCode(5);
        vm.startPrank(transferAgent);
        security.setAddressFrozen(seller, false);
        security.freezePartialTokens(seller, SHARES - 10e18 - 9e18);
        vm.stopPrank();
        _expectCode(10);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(seller, SHARES - 10e18 - 9e18);
        registry.deleteIdentity(buyer);
        _expectCode(9);
        _registerHolder(buyer);
        security.removeAgent(address(settlement));
        _expectCode(14);
        security.addAgent(address(settlement));
        assertEq(security.balanceOf(seller), SHARES - 10e18);
        assertEq(_filled(sell), 10e18);

        _settle(_fill(sell, _buy(10e18), 10e18));
        assertEq(security.balanceOf(buyer), 20e18);
        assertEq(settlement.fillable(sell), 0);
    }

    /// Ten claims of each holder are the most that a fill has gas for.
    function test_batch_settlesHoldersWithTenClaims() public {
        _requireTopics(10);
        registry.deleteIdentity(seller);
        registry.deleteIdentity(buyer);
        _registerHolder(seller);
        _registerHolder(buyer);
        Fill[] memory fills = new Fill[](4);
        Order memory sell = _sell(4e18);
        for (uint256 i = 0; i < 4; ++i) {
            fills[i] = _fill(sell, _buy(1e18), 1e18);
        }
        vm.prank(operator);
        (uint256 settled,) = settlement.batchSettleTrades("batch", fills, 4);
        assertEq(settled, 4);
    }
}
