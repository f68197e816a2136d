// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {LaterVault} from "../support/LaterVault.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";
import {VaultHandler} from "./VaultHandler.sol";

/// @notice What holds after any sequence of calls of users, operator, admin and tokens: one promise each.
contract VaultInvariantTest is TradingVaultTest, InvariantTest {
    StockLikeToken private fund;
    VaultHandler private handler;

    function setUp() public override {
        super.setUp();
        fund = new StockLikeToken(6, admin);
        vm.prank(admin);
        vault.addToken(address(fund), TransferRules.NONE, true);
        address later = address(new LaterVault());
        handler = new VaultHandler(vault, StockLikeToken(address(token)), fund, cash, operator, admin, later);
        cash.transferOwnership(address(handler));
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](24);
        selectors[0] = handler.deposit.selector;
        selectors[1] = handler.commit.selector;
        selectors[2] = handler.request.selector;
        selectors[3] = handler.cancelRequest.selector;
        selectors[4] = handler.withdraw.selector;
        selectors[5] = handler.release.selector;
        selectors[6] = handler.autoCommit.selector;
        selectors[7] = handler.sign.selector;
        selectors[8] = handler.cancel.selector;
        selectors[9] = handler.raiseFloor.selector;
        selectors[10] = handler.settle.selector;
        selectors[11] = handler.take.selector;
        selectors[12] = handler.trade.selector;
        selectors[13] = handler.split.selector;
        selectors[14] = handler.beginSplit.selector;
        selectors[15] = handler.endSplit.selector;
        selectors[16] = handler.blip.selector;
        selectors[17] = handler.wait.selector;
        selectors[18] = handler.freeze.selector;
        selectors[19] = handler.unfreeze.selector;
        selectors[20] = handler.pause.selector;
        selectors[21] = handler.announce.selector;
        selectors[22] = handler.upgrade.selector;
        selectors[23] = handler.siege.selector;
        targetSelectors(address(handler), selectors);
        for (uint256 i = 0; i < 3; ++i) {
            handler.deposit(i, 0, 5_000e18, true);
            handler.deposit(i, 1, 500_000e6, true);
            handler.deposit(i, 2, 500_000e6, i != 0);
        }
    }

    function _makeToken() internal override returns (FreeToken) {
        return new StockLikeToken(18, admin);
    }

    function _splits() internal pure override returns (bool) {
        return true;
    }

    function _users() private view returns (address[6] memory) {
        return [seller, buyer, feeRecipient, handler.traders(0), handler.traders(1), handler.traders(2)];
    }

    function _sum(address asset) private view returns (uint256 sum) {
        address[6] memory users = _users();
        for (uint256 i = 0; i < users.length; ++i) {
            ITradingVault.AccountView memory account = vault.accountOf(users[i], asset);
            sum += account.free + account.committed;
        }
    }

    /// Without this the invariants might hold because nothing ever happens.
    function test_handler_reachesEverything() public {
        handler.trade(0, 10e18, 1e6);
        assertEq(handler.settledCount(), 1);
        handler.sign(0, false, 10e18, 101e6 + 1, 0, 1 days);
        handler.split(true, 4, 1, 2);
        assertEq(handler.refusedCount(), 1);
        handler.blip(false, 2, 1);
        handler.beginSplit(false, 2, 1, 1);
        handler.release(0, 0, 1e18);
        handler.withdraw(0, 0, 1e18);
        handler.endSplit(false);
        handler.trade(1, 10e18, 1e6);
        assertEq(handler.settledCount(), 2);
        handler.freeze(0, 20 days, false);
        handler.announce();
        handler.wait(14 days, true);
        handler.upgrade();
        assertEq(handler.upgradeCount(), 0);
        handler.wait(16 days, true);
        handler.wait(4 days, true);
        handler.upgrade();
        assertEq(handler.upgradeCount(), 1);
    }

    function invariant_balancesAreBooked() public view {
        assertEq(_sum(address(cash)), vault.bookedOf(address(cash)), "cash, to the unit");
        assertLe(_sum(address(token)), vault.bookedOf(address(token)), "shares");
        assertLe(_sum(address(fund)), vault.bookedOf(address(fund)), "fund");
    }

    function invariant_whatIsBookedIsHeld() public view {
        assertEq(vault.bookedOf(address(cash)), cash.balanceOf(address(vault)), "cash, to the unit");
        _checkHeld(StockLikeToken(address(token)));
        _checkHeld(fund);
    }

    /// In the middle of a split the books count other units than there are.
    function _checkHeld(StockLikeToken asset) private view {
        if (asset.splitHoldersLeft() != 0) return;
        assertLe(vault.bookedOf(address(asset)), asset.balanceOf(address(vault)), "held");
    }

    function invariant_whatIsAskedBackIsAPartOfTheCommitted() public view {
        address[6] memory users = _users();
        address[3] memory assets = [address(token), address(fund), address(cash)];
        for (uint256 i = 0; i < 18; ++i) {
            ITradingVault.AccountView memory account = vault.accountOf(users[i % 6], assets[i / 6]);
            assertLe(account.requested, account.committed);
        }
    }

    function invariant_noOrderFillsBeyondItsQuantity() public view {
        assertEq(handler.overfilled(), 0);
    }

    function invariant_noOrderPaysMoreThanItsPartOfTheFee() public view {
        assertEq(handler.feesAbovePart(), 0);
    }

    function invariant_nobodyPaysMoreThanSigned() public view {
        assertEq(handler.paidTooMuch(), 0);
    }

    function invariant_nobodyGetsLessThanSigned() public view {
        assertEq(handler.gotTooLittle(), 0);
    }

    function invariant_theDeadStayDead() public view {
        assertEq(handler.deadOrdersFilled(), 0);
    }

    function invariant_leavingPaysTheRightUnits() public view {
        assertEq(handler.leftWithTooLittle(), 0);
    }

    function invariant_aSplitRoundsAnAccountOnce() public view {
        assertEq(handler.roundedApart(), 0);
    }

    function invariant_aRatioThatBlipsTakesNothing() public view {
        assertEq(handler.takenByABlip(), 0);
    }

    function invariant_everybodyCouldLeaveBeforeAnUpgrade() public view {
        assertEq(handler.trappedAtAnUpgrade(), 0);
    }

    function invariant_operatorsLiftNoFreezeOfTheAdmin() public view {
        assertEq(handler.adminFreezesLifted(), 0);
    }
}
