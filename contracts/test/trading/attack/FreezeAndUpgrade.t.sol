// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IVaultAccess} from "../../../src/trading/interfaces/IVaultAccess.sol";
import {NextVault} from "../support/NextVault.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice An admin who turned wants to be first at the money: whoever is kept in while the notice of an upgrade runs
/// finds the vault under new code.
contract FreezeAndUpgradeAttackTest is TradingVaultTest {
    address private next;

    function setUp() public override {
        super.setUp();
        next = address(new NextVault(9));
    }

    function _freeze(uint256 duration) private {
        vm.prank(admin);
        vault.freezeUser(seller, block.timestamp + duration);
    }

    function _announce() private {
        vm.prank(admin);
        vault.announceUpgrade(next);
    }

    function _refusedUntil(uint256 readyAt) private {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeNotReady.selector, readyAt));
        vault.upgradeToAndCall(next, "");
    }

    function _leave() private {
        vm.prank(seller);
        vault.withdraw(address(token), SHARES);
        assertEq(token.balanceOf(seller), SHARES);
    }

    function test_attack_freezeThatOutlastsTheNotice() public {
        uint256 start = block.timestamp;
        // 1. The admin freezes the seller for as long as one freeze may last, and announces code of its own.
        _freeze(30 days);
        _announce();
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        // 2. The plain notice is over, and the seller could not leave for a second of it: it does not count.
        vm.warp(start + 14 days);
        _refusedUntil(start + 44 days);
        // 3. From the end of the freeze the seller has the whole notice.
        vm.warp(start + 44 days - 1);
        _refusedUntil(start + 44 days);
        _leave();
    }

    function test_attack_freezeAfterTheAnnouncement() public {
        uint256 start = block.timestamp;
        // 1. All looks well for thirteen days.
        _announce();
        vm.warp(start + 13 days);
        // 2. Then the seller is frozen, a day before the upgrade.
        _freeze(2 days);
        vm.warp(start + 14 days);
        _refusedUntil(start + 29 days);
        // 3. The notice that was given tells the new second.
        (address announced, uint256 readyAt) = vault.announcedUpgrade();
        assertTrue(announced == next && readyAt == start + 29 days);
    }

    function test_attack_freezeRenewedBeforeItEnds() public {
        uint256 start = block.timestamp;
        _freeze(30 days);
        _announce();
        // 1. Renewed on its last day: the notice begins after the second one.
        vm.warp(start + 29 days);
        _freeze(30 days);
        vm.warp(start + 44 days);
        _refusedUntil(start + 73 days);
        // 2. A shorter one for somebody else does not shorten what was promised.
        vm.prank(operator);
        vault.freezeUser(buyer, block.timestamp + 1);
        _refusedUntil(start + 73 days);
    }

    /// An unfreeze moves nobody's notice: whoever else is frozen as long is not known.
    function test_attack_freezeOfTwoOfWhichOneIsLifted() public {
        uint256 start = block.timestamp;
        _freeze(30 days);
        vm.startPrank(admin);
        vault.freezeUser(buyer, start + 30 days);
        vault.announceUpgrade(next);
        vault.unfreezeUser(buyer);
        vm.stopPrank();
        vm.warp(start + 14 days);
        _refusedUntil(start + 44 days);
    }

    function test_attack_freezeThenPausesThenTheUpgrade() public {
        uint256 start = block.timestamp;
        // 1. Frozen for thirty days, nothing asked for before.
        _freeze(30 days);
        _announce();
        vm.warp(start + 30 days);
        // 2. The second the freeze ends, withdrawals are paused for three days; then a week must be open.
        vm.prank(admin);
        vault.pauseWithdrawals(block.timestamp + 3 days);
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        // 3. After the pause the request has been waited for, and nothing stands in the way.
        skipTime(3 days);
        _refusedUntil(start + 44 days);
        _leave();
    }

    function test_attack_pauseAtTheEndOfTheNotice() public {
        uint256 start = block.timestamp;
        _announce();
        // 1. The pauses that fit into the notice: at its beginning, and a week after.
        vm.prank(admin);
        vault.pauseWithdrawals(start + 3 days);
        vm.warp(start + 10 days);
        vm.prank(admin);
        vault.pauseWithdrawals(start + 13 days);
        // 2. Between them, and on the last day, the doors were open, even for one who asked late.
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        vm.warp(start + 13 days);
        _leave();
        vm.warp(start + 14 days);
        vm.prank(admin);
        vault.upgradeToAndCall(next, "");
    }

    function test_attack_announcementOfAnAddressWithoutCode() public {
        // 1. The address of a contract that is yet to be made: nobody can read what comes.
        address later = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NoCodeAt.selector, later));
        vault.announceUpgrade(later);
    }

    function test_attack_codeThatIsExchangedAfterTheAnnouncement() public {
        // 1. Everybody reads the code that was announced.
        _announce();
        skipTime(14 days);
        // 2. Then there is other code at the address.
        vm.etch(next, address(new NextVault(10)).code);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeCodeChanged.selector, next));
        vault.upgradeToAndCall(next, "");
    }

    function test_attack_operatorLiftsTheAdminsFreeze() public {
        // 1. The admin follows an order of a court.
        _freeze(10 days);
        // 2. An operator is a friend of the seller.
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.FrozenByAdmin.selector, seller));
        vault.unfreezeUser(seller);
        // 3. Nor does a freeze of its own take the place of the admin's.
        uint256 notBefore = block.timestamp + 40 days;
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, notBefore));
        vault.freezeUser(seller, block.timestamp + 1);
        // 4. The admin may, and once it has ended by itself there is nothing to lift.
        vm.prank(admin);
        vault.unfreezeUser(seller);
        assertEq(vault.frozenUntil(seller), block.timestamp);
        vm.prank(operator);
        vault.unfreezeUser(seller);
    }

    function test_attack_operatorLiftsWhatTheAdminTookOver() public {
        vm.prank(operator);
        vault.freezeUser(seller, block.timestamp + 10 days);
        _freeze(20 days);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.FrozenByAdmin.selector, seller));
        vault.unfreezeUser(seller);
    }
}
