// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {GatedToken} from "../../support/hostile/CollateralTokens.sol";
import {Story} from "./Story.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice A pausable collateral, paused just when it should go back.
contract PausableStoryTest is Story {
    function _makeCollateral() internal override returns (IERC20) {
        return new GatedToken(18);
    }

    function _closeFirstLoan() internal override {
        uint256 due = 9_000e18 - 4_342.40625e18;
        GatedToken(address(token)).setPaused(true);
        super._closeFirstLoan();
        assertEq(CustodyAdapter(adapter).escrowOf(borrower), due);
        vm.prank(borrower);
        vm.expectRevert("refused");
        CustodyAdapter(adapter).claimEscrowedCollateral();
        GatedToken(address(token)).setPaused(false);
        vm.prank(borrower);
        assertEq(CustodyAdapter(adapter).claimEscrowedCollateral(), due);
    }

    function test_story_pausedWhenTheCollateralGoesBack() public {
        _tell();
    }
}
