// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill} from "../../../src/trading/interfaces/TradingTypes.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice A second operator of the same vault uses up the names under which the first one settles.
contract TradeRefSquattingAttackTest is TradingVaultTest {
    address private rival = makeAddress("rival operator");

    function setUp() public override {
        super.setUp();
        vm.prank(admin);
        vault.setOperator(rival, true);
        address friend = _trader("friend");
        address other = _trader("other friend");
        _fund(friend, 10e18, 0);
        _fund(other, 0, 1_000e6);
    }

    function test_attack_ofTheNameOfATrade() public {
        // 1. A trade waits in the mempool; its name can be read there.
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        // 2. The rival settles a trade of two friends under that name.
        Fill memory squat = _fill(
            _order(_trader("friend"), false, 1e18, PRICE), _order(_trader("other friend"), true, 1e18, PRICE), 1e18
        );
        squat.tradeRef = fill.tradeRef;
        vm.prank(rival);
        vault.settle(squat);
        // 3. The trade settles all the same.
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_filled(fill.maker), 1e18);
    }

    /// The rival has both signatures too, from the mempool, and settles a crumb of the same orders under the name.
    function test_attack_withACrumbOfTheSameOrders() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 5e18);
        Fill memory crumb = _fill(fill.maker, fill.taker, 1e18);
        crumb.tradeRef = fill.tradeRef;
        vm.prank(rival);
        vault.settle(crumb);
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_filled(fill.maker), 6e18);
    }

    /// The name still does what it is for: the same trade settles once, whoever sends it again.
    function test_tradeRef_settlesATradeOnce() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.prank(operator);
        vault.settle(fill);
        bytes memory reason =
            abi.encodeWithSelector(ISignedOrders.TradeAlreadySettled.selector, address(token), fill.tradeRef);
        vm.prank(operator);
        vm.expectRevert(reason);
        vault.settle(fill);
        vm.prank(rival);
        vm.expectRevert(reason);
        vault.settle(fill);
        // Another trade of the same two orders has another name.
        fill.tradeRef = "another";
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_filled(fill.maker), 2e18);
    }

    function test_tradeKey_tellsWhatIsSettled() public {
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        assertFalse(_isSettled(fill));
        vm.prank(operator);
        vault.settle(fill);
        assertTrue(_isSettled(fill));
        assertFalse(vault.isSettled(address(token), fill.tradeRef));
    }
}
