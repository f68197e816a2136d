// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {
    AnsweringModule,
    BombModule,
    GasBurningModule,
    ReenteringModule,
    RevertingModule
} from "../support/HostileModules.sol";
import {StockTest} from "../support/StockTest.sol";

/// @notice The issuer's own compliance module turns on the token: it may refuse, and nothing else.
contract HostileModuleTest is StockTest {
    function test_attack_fail() public {
        _assertFails(address(new RevertingModule()));
    }

    function test_attack_burnAllGas() public {
        _assertFails(address(new GasBurningModule()));
    }

    function test_attack_answerAMegabyte() public {
        _assertFails(address(new BombModule(true)));
        _assertFails(address(new BombModule(false)));
    }

    function testFuzz_attack_answerNonsense(uint256 first, uint256 second, uint256 size) public {
        AnsweringModule answering = new AnsweringModule();
        answering.set(first, second, size % 65);
        _install(address(answering));
        (IStockToken.TransferRestrictionCode code, string memory rule) = stock.canTransfer(alice, bob, 1);
        bool isAnswer = size % 65 == 64 && (first == 1 || (first == 0 && second <= 4));
        if (isAnswer) return;
        assertEq(uint256(code), uint256(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED));
        assertEq(rule, "MODULE_FAILED");
    }

    /// Called to allow a transfer, it tries one of its own: without the right to write. Called to be configured, with it:
    /// the token has nothing left to do, and the allowance is the victim's own doing.
    function test_attack_reenter() public {
        ReenteringModule reentering = new ReenteringModule(stock, bob, carol);
        vm.prank(bob);
        stock.approve(address(reentering), 100);
        _install(address(reentering));
        vm.prank(alice);
        stock.transfer(bob, 1);
        assertFalse(reentering.hasStolen());
        assertHolds(bob, 501, 0);
        vm.prank(issuer);
        stock.setDefaultLimits(1, 1);
        assertTrue(reentering.hasStolen());
        assertHolds(bob, 500, 0);
        assertHolds(carol, 1, 0);
        assertBooksAgree();
    }

    /// A module without code, by selfdestruct or a wrong address on another chain, fails too.
    function test_attack_vanish() public {
        address vanishing = address(new RevertingModule());
        _install(vanishing);
        vm.etch(vanishing, "");
        (, string memory rule) = stock.canTransfer(alice, bob, 1);
        assertEq(rule, "MODULE_FAILED");
    }

    /// Gas that would not do for the module is the caller's fault, and is not told as the module's refusal.
    function testFuzz_attack_starveTheModule(uint256 gasGiven) public {
        gasGiven = bound(gasGiven, 30_000, 300_000);
        vm.prank(alice);
        try stock.transfer{gas: gasGiven}(bob, 1) returns (bool) {}
        catch (bytes memory reason) {
            assertTrue(
                reason.length == 0
                    || keccak256(reason) == keccak256(abi.encodePacked(IStockToken.ModuleNeedsMoreGas.selector))
            );
        }
    }

    /// The issuer gets rid of it whatever it does, and what needs no module goes on all the while.
    function _assertFails(address hostile) private {
        _install(hostile);
        uint256 before = gasleft();
        (IStockToken.TransferRestrictionCode code, string memory rule) = stock.canTransfer(alice, bob, 1);
        assertLt(before - gasleft(), 200_000);
        assertEq(uint256(code), uint256(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED));
        assertEq(rule, "MODULE_FAILED");
        vm.prank(alice);
        expectRestricted(code, rule);
        stock.transfer(bob, 1);
        vm.prank(issuer);
        expectRestricted(code, rule);
        stock.issue(bob, 1, REASON);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 1, REASON);
        vm.prank(issuer);
        stock.redeemFrom(bob, 1, REASON);
        _install(address(0));
        vm.prank(alice);
        stock.transfer(bob, 1);
    }

    function _install(address hostile) private {
        vm.prank(issuer);
        stock.setComplianceModule(hostile);
    }
}
