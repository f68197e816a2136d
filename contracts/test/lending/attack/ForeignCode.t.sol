// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IServedUpgrade} from "../../../src/base/interfaces/IServedUpgrade.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {ILendingFactory} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {MARKET_SLOT} from "../../../src/lending/modules/MarketStorage.sol";
import {BareImplementation, NextMarket} from "../../fixtures/lending/Implementations.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @notice A market admin, or the factory's owner by mistake, tries to run code the factory does not stand for.
contract ForeignCodeAttackTest is LendingTest {
    function test_attack_anAdminInstallsItsOwnImplementation() public {
        // 1. The admin writes code that would send the pool away, with a version as high as it likes.
        address foreign = address(new BareImplementation(address(factory)));
        vm.startPrank(admin);
        // 2. The proxy asks the factory, and refuses.
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotServed.selector, foreign, suite.market));
        market.upgradeToAndCall(foreign, abi.encodeWithSignature("steal()"));
        vm.stopPrank();
        // 3. Code that trusts another factory cannot even be served.
        address elsewhere = address(new NextMarket(address(this), platform));
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotVersioned.selector, elsewhere));
        factory.setImplementation("market", elsewhere);
        // 4. The implementation itself cannot be driven.
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        LendingMarket(suite.market).upgradeToAndCall(foreign, "");
    }

    function test_attack_anUpgradeThatCollidesWithStorage() public {
        _openLoan(100e18, 5_000e6);
        // 1. All state lives in one namespace: the first slots, where naive code would write, are empty.
        for (uint256 i = 0; i < 50; ++i) {
            assertEq(vm.load(address(market), bytes32(i)), bytes32(0));
        }
        // 2. After an upgrade every slot of the namespace is what it was.
        bytes32[40] memory before;
        for (uint256 i = 0; i < 40; ++i) {
            before[i] = vm.load(address(market), bytes32(uint256(MARKET_SLOT) + i));
        }
        address next = address(new NextMarket(address(factory), platform));
        factory.setImplementation("market", next);
        vm.prank(admin);
        market.upgradeToAndCall(next, "");
        for (uint256 i = 0; i < 40; ++i) {
            assertEq(vm.load(address(market), bytes32(uint256(MARKET_SLOT) + i)), before[i]);
        }
        assertEq(
            MARKET_SLOT,
            keccak256(abi.encode(uint256(keccak256("tallystick.storage.LendingMarket")) - 1)) & ~bytes32(uint256(0xff))
        );
    }
}
