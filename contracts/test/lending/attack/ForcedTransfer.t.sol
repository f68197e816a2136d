// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {FreezeWorld} from "../../support/FreezeWorld.sol";

/// @notice Another agent of the security moves pledged tokens, honestly (a recovery) or not.
contract ForcedTransferAttackTest is FreezeWorld {
    address private thief = makeAddress("thief");

    function test_attack_rebindingSomebodyElsesPledge() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        registry.registerIdentity(thief, makeAddress("thief identity"), 276);
        // 1. While the borrower holds its tokens nobody can rebind.
        vm.expectPartialRevert(IFreezeAdapter.WalletNotRecovered.selector);
        market.rebindPledge(loanId, thief);
        // 2. The agent sends everything to the thief's wallet: another identity, so the pledge does not follow.
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, thief, 10_000e18);
        vm.expectPartialRevert(IFreezeAdapter.NotSameIdentity.selector);
        market.rebindPledge(loanId, thief);
        // 3. The loan's books say what is gone as soon as anyone realizes it, and the loss is booked.
        _setPrice(58e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.loan(loanId).collateral, 0);
        assertEq(market.realization(id).claim, 0);
        assertEq(market.pool().totalBorrowed, 0);
        _assertSolvent();
    }

    function test_attack_oneLoansLossIsNotAnothersCollateral() public {
        // 1. Two loans of one borrower; the agent takes 50 of the 200 pledged tokens.
        uint256 first = _openLoan(100e18, 7_000e6);
        uint256 second = _openLoan(100e18, 7_000e6);
        registry.registerIdentity(thief, address(this), 276);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, thief, 9_850e18);
        // 2. The first realization bears the whole shortfall; the second loan still finds its collateral.
        _setPrice(80e6);
        _liquidate(first);
        (, uint256 left) = FreezeAdapter(adapter).pledgeOf(second);
        assertEq(left, 100e18);
        assertGe(security.balanceOf(borrower), FreezeAdapter(adapter).lockedOf(borrower));
    }
}
