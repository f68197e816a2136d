// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {VaultTest} from "../support/VaultTest.sol";

contract VaultSettleTest is VaultTest {
    function test_settle_movesBothLegs() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        (bytes32 makerHash, bytes32 takerHash) = (vault.hashOrder(fill.maker), vault.hashOrder(fill.taker));
        vm.expectEmit();
        emit ISignedOrders.TradeSettled(
            fill.tradeRef, makerHash, takerHash, seller, buyer, address(token), address(cash), 4e18, 400e6, 0, 0
        );
        vm.prank(operator);
        vault.settle(fill);
        _assertAccount(seller, token, 0, SHARES - 4e18);
        _assertAccount(seller, cash, 400e6, 0);
        _assertAccount(buyer, token, 4e18, 0);
        _assertAccount(buyer, cash, 0, CASH - 400e6);
        assertEq(_filled(fill.maker), 4e18);
        assertEq(vault.fillable(fill.taker), 6e18);
        assertTrue(vault.isSettled(address(token), fill.tradeRef));
    }
}
