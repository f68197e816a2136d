// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {DemoSecurity} from "../../../src/demo/DemoSecurity.sol";
import {SignedOrderSettlement} from "../../../src/trading/SignedOrderSettlement.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice Whole transactions on warm state: accounts that have traded before, orders that are new.
contract TradingGasTest is TradingVaultTest {
    SignedOrderSettlement private settlement;
    DemoSecurity private security;

    function setUp() public override {
        super.setUp();
        _fund(seller, 100e18, 100e6);
        _fund(buyer, 100e18, 100e6);
        token.mint(seller, 100e18);
        vm.prank(seller);
        vault.deposit(address(token), 10e18);
        vm.startPrank(operator);
        vault.release(buyer, address(token), 1e18);
        vault.release(seller, address(cash), 1e6);
        vault.settle(_withFees(1e18));
        vm.stopPrank();
        _openSettlement();
    }

    function _openSettlement() private {
        settlement = SignedOrderSettlement(_create("SignedOrderSettlement.sol:SignedOrderSettlement", ""));
        DemoIdentityRegistry registry = new DemoIdentityRegistry(address(this));
        security = new DemoSecurity(
            "Bond", "BOND", 0, address(registry), address(new DemoCompliance(address(this))), address(0), address(this)
        );
        registry.addAgent(address(this));
        registry.registerIdentity(seller, address(1), 276);
        registry.registerIdentity(buyer, address(2), 276);
        security.addAgent(address(this));
        security.addAgent(address(settlement));
        security.mint(seller, 100);
        security.mint(buyer, 100);
        settlement.registerSecurity(address(security), "DE000A1EWWW0");
        settlement.setQuoteAsset(address(security), address(cash), true);
        settlement.setOperator(address(security), operator, true);
        settlement.setFeeRecipient(address(security), feeRecipient);
        cash.mint(buyer, 10_000e6);
        cash.mint(seller, 1);
        cash.mint(feeRecipient, 1);
        vm.prank(buyer);
        cash.approve(address(settlement), type(uint256).max);
    }

    /// @dev Both pay, which touches all that a fill can touch.
    function _withFees(uint256 quantity) private returns (Fill memory fill) {
        (Order memory sell, Order memory buy) = (_sell(quantity), _buy(quantity));
        (sell.maxFee, buy.maxFee) = (1e6, 1e6);
        fill = _fill(sell, buy, quantity);
        (fill.makerFee, fill.takerFee) = (1e5, 2e5);
    }

    function _batch(uint256 count) private returns (Fill[] memory fills) {
        fills = new Fill[](count);
        for (uint256 i = 0; i < count; ++i) {
            fills[i] = _withFees(1e18);
        }
    }

    function test_gas_deposit() public {
        vm.prank(seller);
        vault.deposit(address(token), 10e18);
        _assertAtMost("vault deposit", 80_000);
    }

    function test_gas_commit() public {
        vm.prank(seller);
        vault.commit(address(token), 10e18);
        _assertAtMost("vault commit", 50_000);
    }

    function test_gas_withdraw() public {
        vm.prank(seller);
        vault.withdraw(address(token), 5e18);
        _assertAtMost("vault withdraw", 80_000);
    }

    function test_gas_settle() public {
        Fill memory fill = _withFees(1e18);
        vm.prank(operator);
        vault.settle(fill);
        _assertAtMost("vault settle", 215_000);
    }

    function test_gas_settleBatchOfOne() public {
        Fill[] memory fills = _batch(1);
        vm.prank(operator);
        vault.batchSettle("batch", fills, 1);
        _assertAtMost("vault batchSettle 1 fill", 225_000);
    }

    function test_gas_settleBatchOfEleven() public {
        Fill[] memory fills = _batch(11);
        vm.prank(operator);
        vault.batchSettle("batch", fills, 11);
        // 133,000 for each fill after the first, with a look at what version 1 settled.
        _assertAtMost("vault batchSettle 11 fills", 1_550_000);
    }

    function test_gas_signedSettlement() public {
        (Order memory sell, Order memory buy) = (_sell(1), _buy(1));
        (sell.token, buy.token) = (address(security), address(security));
        (sell.maxFee, buy.maxFee) = (1e6, 1e6);
        Fill memory fill = _fill(sell, buy, 1);
        fill.takerFee = 1e5;
        fill.makerSignature = signDigest(keyOf[seller], settlement.hashOrder(sell));
        fill.takerSignature = signDigest(keyOf[buyer], settlement.hashOrder(buy));
        vm.prank(operator);
        settlement.settleTrade(fill);
        // Both tokens are asked for their splits.
        _assertAtMost("signed settleTrade", 290_000);
    }

    function _assertAtMost(string memory name, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(name), bar, name);
    }
}
