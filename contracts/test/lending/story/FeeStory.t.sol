// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {ExactTransferLib} from "../../../src/libraries/ExactTransferLib.sol";
import {FeeToken} from "../../support/hostile/CollateralTokens.sol";
import {Story} from "./Story.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Tokens that keep a part of every transfer: refused where they would arrive short.
contract FeeStoryTest is Story {
    function _makeCash() internal override returns (DemoCash) {
        return DemoCash(address(new FeeToken(6)));
    }

    function _makeCollateral() internal override returns (IERC20) {
        return new FeeToken(18);
    }

    function _switch(address feeToken, bool isOn) private {
        FeeToken(feeToken).setOn(isOn);
    }

    function _expectShort(address feeToken, uint256 amount) private {
        vm.expectRevert(
            abi.encodeWithSelector(ExactTransferLib.ReceivedOtherAmount.selector, feeToken, amount, amount * 99 / 100)
        );
    }

    function test_story_anAssetThatKeepsAFeeFundsNoPool() public {
        _deploy();
        _nominateAndAdopt();
        _switch(address(cash), true);
        _give(lender, 1_000_000e6);
        vm.startPrank(lender);
        cash.approve(address(market), type(uint256).max);
        _expectShort(address(cash), 1_000_000e6);
        market.addLiquidity(1_000_000e6);
        vm.stopPrank();
        assertEq(cash.balanceOf(lender), 1_000_000e6);
        assertEq(market.pool().totalShares, 0);
    }

    function test_story_aCollateralThatKeepsAFeeOpensNoLoan() public {
        _deploy();
        _nominateAndAdopt();
        _fund();
        _switch(address(token), true);
        _giveCollateral(borrower, 12_000e18);
        vm.startPrank(borrower);
        token.approve(adapter, type(uint256).max);
        _expectShort(address(token), 9_000e18);
        market.openLoan(9_000e18, 650_000e6, _noPrice());
        vm.stopPrank();
        assertEq(token.balanceOf(borrower), 12_000e18);
        assertEq(market.pool().loanCounter, 0);
    }

    /// Books and balances agree at every step; the fee is the loss of whoever receives.
    function test_story_aFeeThatComesLaterStopsNeitherSaleNorRepayment() public {
        _deploy();
        _nominateAndAdopt();
        _fund();
        _open();
        _accrue();
        _switch(address(token), true);
        _setPrice(80e6);
        uint256 taken = 4_342.40625e18;
        _liquidate(1);
        assertEq(token.balanceOf(address(router)), taken * 99 / 100);
        assertEq(router.liquidation(1).collateralRemaining, taken * 99 / 100);
        _repay(2, type(uint256).max);
        _assertPledged(9_000e18 - taken, 1_000e18 + 2_000e18 * 99 / 100);
        vm.prank(seller);
        router.withdrawCollateralForSale(1, taken * 99 / 100);
        assertEq(token.balanceOf(address(router)), 0);
        _assertSolvent();
    }

    function test_story_withoutItsFeeItIsAPlainToken() public {
        _tell();
    }
}
