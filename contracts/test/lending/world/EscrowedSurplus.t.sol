// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {HookedCash, ITransferHook} from "../../support/hostile/HookedCash.sol";

/// @notice Refuses every transfer to one wallet.
contract Blocklist is ITransferHook {
    address public blocked;

    function set(address account) external {
        blocked = account;
    }

    function onTransfer(address, address to, uint256) external view {
        require(to != blocked, "blocked");
    }
}

contract EscrowedSurplusTest is LendingTest {
    Blocklist private list = new Blocklist();

    function _makeCash() internal override returns (DemoCash) {
        return new HookedCash(6, address(this));
    }

    function test_surplus_waitsForABorrowerWhomTheAssetRefuses() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        HookedCash(address(cash)).setHook(address(list));
        list.set(borrower);
        // 7,350 may be kept; the settlement goes through although 650 cannot be delivered.
        _sellAndSettle(1, 8_000e6);
        assertEq(market.surplusOf(borrower), 650e6);
        assertEq(market.pool().escrowedSurplus, 650e6);
        _assertSolvent();
        vm.prank(borrower);
        vm.expectRevert();
        market.claimSurplus();
        assertEq(market.surplusOf(borrower), 650e6);

        list.set(address(0));
        uint256 before = cash.balanceOf(borrower);
        vm.prank(borrower);
        assertEq(market.claimSurplus(), 650e6);
        assertEq(cash.balanceOf(borrower), before + 650e6);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.claimSurplus();
        _assertSolvent();
    }
}
