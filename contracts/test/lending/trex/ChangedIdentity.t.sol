// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice The registry ties a wallet that has pledged before to somebody else.
contract TrexChangedIdentityTest is TrexWorld {
    address private innocent = makeAddress("innocent");

    /// @dev The first holder has another wallet, with tokens of its own.
    function setUp() public override {
        super.setUp();
        uint256 first = _openLoan(100e18, 5_000e6);
        _repay(first, type(uint256).max);
        registry.registerIdentity(innocent, borrowerIdentity, 276);
        _giveCollateral(innocent, 500e18);
        registry.deleteIdentity(borrower);
    }

    function test_rebind_revertsForAWalletOfTheIdentityThatPledgedBefore() public {
        address second = _registerHolder(borrower);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        assertEq(FreezeAdapter(adapter).identityAtPledge(borrower), second);
        _recover(borrower, newWallet, second);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, innocent));
        market.rebindPledge(loanId, innocent);
        market.rebindPledge(loanId, newWallet);
        assertEq(market.loan(loanId).borrower, newWallet);
        _assertHolding(innocent, 500e18, 0);
    }

    function test_rebind_revertsForAPledgeThatWasMadeWithoutAnIdentity() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        assertEq(FreezeAdapter(adapter).identityAtPledge(borrower), address(0));
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, buyer, 10_000e18);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, innocent));
        market.rebindPledge(loanId, innocent);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, stranger));
        market.rebindPledge(loanId, stranger);
    }

    function test_addCollateral_refreshesTheIdentity() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        address second = _registerHolder(borrower);
        vm.prank(borrower);
        market.addCollateral(loanId, 1e18);
        assertEq(FreezeAdapter(adapter).identityAtPledge(borrower), second);
        _recover(borrower, newWallet, second);
        market.rebindPledge(loanId, newWallet);
        _assertHolding(newWallet, 10_000e18, 101e18);
    }
}
