// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {MarketSetup} from "../../../src/lending/interfaces/MarketTypes.sol";
import {MARKET_SLOT} from "../../../src/lending/modules/MarketStorage.sol";
import {CollidingMarket} from "../../fixtures/lending/CollidingMarket.sol";
import {LaterMarket, NextFund, NextMarket, NextModel, NextRouter} from "../../fixtures/lending/Implementations.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// @notice The factory serves, by mistake or worse, an implementation whose storage lies where other state could be.
contract StorageCollisionAttackTest is LendingTest {
    bytes32 private constant ROLES_SLOT = 0x53fcb8b9e4771f6ab514341e7c03201fb0d46ebb8ab1afd8e4772df462d55200;
    bytes32 private constant OWNED_SLOT = 0x2998d6b1167cbba404e2f87800bfc737fe71ee4cdbb406474f8002b02582b100;
    bytes32 private constant ROUTER_SLOT = 0x784e1656ba20a4e79db920ca651062f0d380b332b6937869c1dae35dc6e46900;
    bytes32 private constant FUND_SLOT = 0x20d0dd0aae66abada232fef7ec814a281be19127995ead0e9b588b30b0731f00;
    bytes32 private constant MODEL_SLOT = 0xf6e14db45d25553285fcff149c6f485779b7c696014fc62c8634a2592d3b9100;
    bytes32 private constant FACTORY_SLOT = 0xe32b2c10d72aac4e16f593d768917a07cf329b734d1111e780597dbec1486800;
    bytes32 private constant INITIALIZABLE_SLOT = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;

    function test_attack_codeThatScribblesOverTheFirstSlots() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        skipTime(1 days);
        bytes32 books = _books(loanId);
        // 1. The colliding code is served, and the admin takes it.
        _upgrade(address(new CollidingMarket(address(factory), platform)));
        assertEq(_books(loanId), books);
        // 2. It writes everything it has, from the first slot on.
        vm.prank(stranger);
        CollidingMarket(address(market)).scribble();
        assertEq(vm.load(address(market), bytes32(uint256(1))), bytes32(type(uint256).max));
        // 3. Not one figure moved, and nobody gained a role.
        assertEq(_books(loanId), books);
        assertFalse(market.hasRole(ADMIN_ROLE, stranger));
        assertTrue(market.hasRole(ADMIN_ROLE, admin));
        // 4. The scribbles do not get in the way of the upgrade that removes the code, nor of the business after it.
        factory.setImplementation("market", address(new LaterMarket(address(factory), platform)));
        address later = factory.servedImplementation("market");
        vm.prank(admin);
        market.upgradeToAndCall(later, "");
        assertEq(_books(loanId), books);
        _give(borrower, 1_000e6);
        _repay(loanId, type(uint256).max);
        assertEq(token.balanceOf(borrower), 10_000e18);
        _assertSolvent();
    }

    function test_attack_anInitializerThatRunsAgain() public {
        // 1. Overwriting the parts through a second initialization would give oracle, adapter and router away.
        address next = address(new NextMarket(address(factory), platform));
        factory.setImplementation("market", next);
        MarketSetup memory setup;
        setup.oracle = stranger;
        // 2. The proxy remembers, in a namespace of its own, that it was initialized.
        vm.prank(admin);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        market.upgradeToAndCall(next, abi.encodeCall(LendingMarket.initialize, (setup)));
        vm.prank(address(factory));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        market.initialize(setup);
        // 3. So do the implementation and the satellites.
        vm.prank(address(factory));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        LendingMarket(next).initialize(setup);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        fund.initialize(stranger, address(cash));
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        router.initialize(stranger, address(token), address(cash), 18);
        assertEq(market.parts().oracle, address(oracle));
    }

    function test_attack_twoNamespacesThatMeet() public pure {
        // 1. Every namespace is where its name puts it.
        assertEq(MARKET_SLOT, _slotOf("tallystick.storage.LendingMarket"));
        assertEq(ROLES_SLOT, _slotOf("tallystick.storage.Roles"));
        assertEq(OWNED_SLOT, _slotOf("tallystick.storage.TwoStepOwned"));
        assertEq(ROUTER_SLOT, _slotOf("tallystick.storage.LiquidationRouter"));
        assertEq(FUND_SLOT, _slotOf("tallystick.storage.InsuranceFund"));
        assertEq(MODEL_SLOT, _slotOf("tallystick.storage.InterestRateModel"));
        assertEq(FACTORY_SLOT, _slotOf("tallystick.storage.LendingFactory"));
        assertEq(INITIALIZABLE_SLOT, _slotOf("openzeppelin.storage.Initializable"));
        // 2. Each is far from all others: no struct reaches the next, however much is appended.
        bytes32[8] memory slots =
            [MARKET_SLOT, ROLES_SLOT, OWNED_SLOT, ROUTER_SLOT, FUND_SLOT, MODEL_SLOT, FACTORY_SLOT, INITIALIZABLE_SLOT];
        for (uint256 i = 0; i < 8; ++i) {
            for (uint256 j = i + 1; j < 8; ++j) {
                uint256 a = uint256(slots[i]);
                uint256 b = uint256(slots[j]);
                assertGt(a > b ? a - b : b - a, 1 << 128);
            }
        }
    }

    function test_attack_satellitesKeepTheirStateThroughUpgradesToo() public {
        _fundReserve(1_000e6);
        bytes32 before = _satellites();
        // 1. The first slots of every proxy are empty: there is nothing for naive code to meet.
        address[5] memory proxies = [address(market), address(model), address(fund), address(router), address(factory)];
        for (uint256 i = 0; i < 5; ++i) {
            for (uint256 slot = 0; slot < 50; ++slot) {
                assertEq(vm.load(proxies[i], bytes32(slot)), bytes32(0));
            }
        }
        // 2. After an upgrade of each, owners, totals and recipients are what they were.
        factory.setImplementation("rateModel", address(new NextModel(address(factory))));
        factory.setImplementation("insuranceFund", address(new NextFund(address(factory))));
        factory.setImplementation("router", address(new NextRouter(address(factory))));
        address nextModel = factory.servedImplementation("rateModel");
        vm.prank(issuer);
        model.upgradeToAndCall(nextModel, "");
        address nextFund = factory.servedImplementation("insuranceFund");
        address nextRouter = factory.servedImplementation("router");
        vm.startPrank(admin);
        fund.upgradeToAndCall(nextFund, "");
        router.upgradeToAndCall(nextRouter, "");
        vm.stopPrank();
        assertEq(_satellites(), before);
    }

    function _upgrade(address next) private {
        factory.setImplementation("market", next);
        vm.prank(admin);
        market.upgradeToAndCall(next, "");
    }

    function _books(uint256 loanId) private view returns (bytes32) {
        return
            keccak256(
                abi.encode(market.pool(), market.parts(), market.config(), market.termConfig(), market.loan(loanId))
            );
    }

    function _satellites() private view returns (bytes32) {
        (uint256 added, uint256 covered, uint256 withdrawn) = fund.totals();
        return keccak256(
            abi.encode(
                model.owner(),
                model.rateTerms(),
                fund.owner(),
                fund.asset(),
                fund.isAuthorized(address(market)),
                added,
                covered,
                withdrawn,
                router.saleRecipient(),
                router.market(),
                router.token()
            )
        );
    }

    function _slotOf(string memory name) private pure returns (bytes32) {
        return keccak256(abi.encode(uint256(keccak256(bytes(name))) - 1)) & ~bytes32(uint256(0xff));
    }
}
