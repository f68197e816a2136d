// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {IVaultAccess} from "../../../src/trading/interfaces/IVaultAccess.sol";
import {NextVault} from "../support/NextVault.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// @notice Roles, freezes, pauses, upgrades: who, and for how long.
contract VaultAccessTest is TradingVaultTest {
    function _notAdmin(address account) private {
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdmin.selector, account));
    }

    /* BIRTH */

    function test_initialize_worksOnceAndNotOnTheImplementation() public {
        vm.expectRevert(abi.encodeWithSelector(Initializable.InvalidInitialization.selector));
        vault.initialize(stranger, stranger, stranger);
        TradingVault implementation = TradingVault(suite.implementation());
        vm.expectRevert(abi.encodeWithSelector(Initializable.InvalidInitialization.selector));
        implementation.initialize(stranger, stranger, stranger);
    }

    function test_initialize_needsAnAdminAndAFeeRecipient() public {
        address implementation = suite.implementation();
        bytes memory data = abi.encodeCall(TradingVault.initialize, (address(0), operator, feeRecipient));
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.AddressIsZero.selector));
        new ERC1967Proxy(implementation, data);
        data = abi.encodeCall(TradingVault.initialize, (admin, operator, address(0)));
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.AddressIsZero.selector));
        new ERC1967Proxy(implementation, data);
        data = abi.encodeCall(TradingVault.initialize, (admin, address(0), feeRecipient));
        TradingVault other = TradingVault(address(new ERC1967Proxy(implementation, data)));
        assertEq(other.admin(), admin);
        assertFalse(other.isOperator(address(0)));
    }

    function test_domain_isTheProxys() public view {
        (, string memory name, string memory domainVersion, uint256 chainId, address verifier,,) = vault.eip712Domain();
        assertEq(name, "TradingVault");
        assertEq(domainVersion, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifier, address(vault));
    }

    /* ROLES */

    function test_admin_movesInTwoSteps() public {
        _notAdmin(operator);
        vault.transferAdmin(operator);
        vm.expectEmit();
        emit IVaultAccess.AdminTransferStarted(admin, stranger);
        vm.prank(admin);
        vault.transferAdmin(stranger);
        assertEq(vault.pendingAdmin(), stranger);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotPendingAdmin.selector, operator));
        vault.acceptAdmin();
        vm.expectEmit();
        emit IVaultAccess.AdminTransferred(admin, stranger);
        vm.prank(stranger);
        vault.acceptAdmin();
        assertEq(vault.admin(), stranger);
        assertEq(vault.pendingAdmin(), address(0));
    }

    function test_operators_areTheAdmins() public {
        _notAdmin(operator);
        vault.setOperator(stranger, true);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.AddressIsZero.selector));
        vault.setOperator(address(0), true);
        vm.expectEmit();
        emit IVaultAccess.OperatorSet(stranger, true);
        vault.setOperator(stranger, true);
        vault.setOperator(operator, false);
        vm.stopPrank();
        assertTrue(vault.isOperator(stranger));
        assertFalse(vault.isOperator(operator));
    }

    /* FREEZE */

    function test_freeze_isForAdminAndOperators() public {
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdminOrOperator.selector, stranger));
        vault.freezeUser(seller, block.timestamp + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdminOrOperator.selector, stranger));
        vault.unfreezeUser(seller);
        vm.stopPrank();
    }

    function test_freeze_endsWithinAMonth() public {
        uint256 latest = block.timestamp + 30 days;
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.EndOutOfRange.selector, latest + 1, latest));
        vault.freezeUser(seller, latest + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.EndOutOfRange.selector, block.timestamp, latest));
        vault.freezeUser(seller, block.timestamp);
        vm.expectEmit();
        emit IVaultAccess.UserFrozen(seller, latest, admin);
        vault.freezeUser(seller, latest);
        assertEq(vault.frozenUntil(seller), latest);
        skipTime(1 days);
        vault.freezeUser(seller, latest + 1 days);
        vm.stopPrank();
    }

    function test_freeze_byAnOperatorCannotGoOnForEver() public {
        uint256 end = block.timestamp + 30 days;
        vm.startPrank(operator);
        vault.freezeUser(seller, end);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, end + 30 days));
        vault.freezeUser(seller, end);
        vm.warp(end + 30 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, end + 30 days));
        vault.freezeUser(seller, end + 31 days);
        vm.warp(end + 30 days);
        vault.freezeUser(seller, end + 31 days);
        vm.stopPrank();
    }

    function test_freeze_blocksWithdrawalsUntilItEnds() public {
        vm.prank(operator);
        vault.release(seller, address(token), 10);
        uint256 until = block.timestamp + 1 hours;
        vm.prank(operator);
        vault.freezeUser(seller, until);
        vm.startPrank(seller);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UserIsFrozen.selector, seller, until));
        vault.withdraw(address(token), 1);
        vault.requestWithdrawal(address(token), 1);
        vm.warp(until);
        vault.withdraw(address(token), 1);
        vm.stopPrank();
    }

    function test_unfreeze_worksAtOnce() public {
        vm.startPrank(operator);
        vault.release(seller, address(token), 10);
        vault.freezeUser(seller, block.timestamp + 1 hours);
        vm.expectEmit();
        emit IVaultAccess.UserUnfrozen(seller, operator);
        vault.unfreezeUser(seller);
        vm.stopPrank();
        vm.prank(seller);
        vault.withdraw(address(token), 1);
    }

    /* PAUSES */

    function test_pause_isTheAdmins() public {
        _notAdmin(operator);
        vault.pauseWithdrawals(block.timestamp + 1);
        _notAdmin(operator);
        vault.unpauseWithdrawals();
        _notAdmin(operator);
        vault.setSettlementPaused(true);
        _notAdmin(operator);
        vault.announceUpgrade(address(1));
    }

    function test_pause_endsByItselfAndLeavesAWeekOpen() public {
        vm.prank(operator);
        vault.release(seller, address(token), 10);
        uint256 until = block.timestamp + 3 days;
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.EndOutOfRange.selector, until + 1, until));
        vault.pauseWithdrawals(until + 1);
        vm.expectEmit();
        emit IVaultAccess.WithdrawalsPaused(until);
        vault.pauseWithdrawals(until);
        assertEq(vault.withdrawalsPausedUntil(), until);
        vm.stopPrank();
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.WithdrawalsArePaused.selector, until));
        vault.withdraw(address(token), 1);
        vm.warp(until);
        vm.prank(seller);
        vault.withdraw(address(token), 1);
        vm.startPrank(admin);
        vm.warp(until + 7 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, until + 7 days));
        vault.pauseWithdrawals(until + 8 days);
        vm.warp(until + 7 days);
        vault.pauseWithdrawals(until + 8 days);
        vm.stopPrank();
    }

    function test_unpause_startsTheOpenWeek() public {
        vm.prank(operator);
        vault.release(seller, address(token), 10);
        vm.startPrank(admin);
        vault.pauseWithdrawals(block.timestamp + 3 days);
        skipTime(1 hours);
        vm.expectEmit();
        emit IVaultAccess.WithdrawalsUnpaused();
        vault.unpauseWithdrawals();
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, block.timestamp + 7 days));
        vault.pauseWithdrawals(block.timestamp + 3 days);
        vm.stopPrank();
        vm.prank(seller);
        vault.withdraw(address(token), 1);
    }

    function test_pauseOfSettlement_leavesTheWayOutOpen() public {
        vm.expectEmit();
        emit IVaultAccess.SettlementPaused(true);
        vm.prank(admin);
        vault.setSettlementPaused(true);
        assertTrue(vault.isSettlementPaused());
        vm.startPrank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        skipTime(1 days);
        vault.withdraw(address(token), SHARES);
        vm.stopPrank();
    }

    /* UPGRADE */

    function test_upgrade_isAnnouncedTwoWeeksBefore() public {
        address next = address(new NextVault(3));
        _notAdmin(operator);
        vault.upgradeToAndCall(next, "");
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeNotAnnounced.selector, next));
        vault.upgradeToAndCall(next, "");
        uint256 readyAt = block.timestamp + 14 days;
        vm.expectEmit();
        emit IVaultAccess.UpgradeAnnounced(next, readyAt);
        vault.announceUpgrade(next);
        (address announced, uint256 when) = vault.announcedUpgrade();
        assertTrue(announced == next && when == readyAt);
        vm.warp(readyAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeNotReady.selector, readyAt));
        vault.upgradeToAndCall(next, "");
        vm.warp(readyAt);
        vault.upgradeToAndCall(next, "");
        vm.stopPrank();
        assertEq(vault.version(), 3);
    }

    function test_upgrade_thatWasAnnouncedLongAgoIsAnnouncedAgain() public {
        address next = address(new NextVault(3));
        vm.startPrank(admin);
        vault.announceUpgrade(next);
        skipTime(28 days + 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeLapsed.selector, block.timestamp - 1));
        vault.upgradeToAndCall(next, "");
        vault.announceUpgrade(next);
        skipTime(28 days);
        vault.upgradeToAndCall(next, "");
        vm.stopPrank();
    }

    function test_upgrade_onlyGoesForward() public {
        address same = address(new NextVault(2));
        vm.startPrank(admin);
        vault.announceUpgrade(same);
        skipTime(14 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAnUpgrade.selector, 2, 2));
        vault.upgradeToAndCall(same, "");
        vm.stopPrank();
    }

    /// An admin who turned: pauses as long as allowed and announces code of its own. Everybody can still leave.
    function test_upgrade_leavesTimeToLeaveWhateverTheAdminDoes() public {
        vm.startPrank(admin);
        vault.announceUpgrade(address(new NextVault(3)));
        vault.pauseWithdrawals(block.timestamp + 3 days);
        vault.setSettlementPaused(true);
        vault.removeToken(address(token));
        vm.stopPrank();
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        skipTime(3 days);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.TooSoon.selector, block.timestamp + 7 days));
        vault.pauseWithdrawals(block.timestamp + 3 days);
        vm.prank(seller);
        vault.withdraw(address(token), SHARES);
        assertEq(token.balanceOf(seller), SHARES);
    }
}
