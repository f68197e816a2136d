// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice An agent moves a holder's tokens to another wallet by hand. The lost wallet is still registered, so that anyone
/// can send it something.
contract TrexDustAtTheLostWalletTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 5_000e6);
        registry.registerIdentity(newWallet, borrowerIdentity, 276);
        _giveCollateral(buyer, 1_000e18);
    }

    function _moveAway(uint256 amount) private {
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, newWallet, amount);
    }

    function _sendDust(uint256 amount) private {
        vm.prank(buyer);
        security.transfer(borrower, amount);
    }

    function _expectNotRecovered(uint256 left) private {
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, left));
    }

    function testFuzz_rebind_revertsWhileAnyOfThePledgeIsThere(uint256 left) public {
        left = bound(left, 1, HELD - 1);
        _moveAway(HELD - left);
        _expectNotRecovered(left);
        market.rebindPledge(loanId, newWallet);
    }

    function testFuzz_rebind_revertsWhileTheWholePledgeIsThereThoughUnfrozen(uint256 left) public {
        left = bound(left, 100e18, HELD - 1);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 100e18);
        _moveAway(HELD - left);
        _expectNotRecovered(left);
        market.rebindPledge(loanId, newWallet);
    }

    function testFuzz_rebind_isNotStoppedByLessThanThePledge(uint256 dust) public {
        dust = bound(dust, 1, 100e18 - 1);
        _moveAway(HELD);
        _sendDust(dust);
        market.rebindPledge(loanId, newWallet);
        assertEq(market.loan(loanId).borrower, newWallet);
        _assertHolding(borrower, dust, 0);
        _assertHolding(newWallet, HELD, 100e18);
        assertEq(FreezeAdapter(adapter).lockedOf(borrower), 0);
    }

    function test_rebind_ofSeveralLoansIsNotStoppedEither() public {
        uint256 second = _openLoan(300e18, 5_000e6);
        _moveAway(HELD);
        _sendDust(99e18);
        market.rebindPledge(second, newWallet);
        market.rebindPledge(loanId, newWallet);
        _assertHolding(newWallet, HELD, 400e18);
    }
}
