// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITwoStepOwned} from "../../../src/lending/base/interfaces/ITwoStepOwned.sol";
import {IInsuranceFund} from "../../../src/lending/interfaces/IInsuranceFund.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract FundTest is LendingTest {
    function test_topUp_isOpenToAnyoneButNotForNothing() public {
        vm.expectRevert(abi.encodeWithSelector(IInsuranceFund.AmountOutOfRange.selector, 0, type(uint256).max));
        fund.topUp(0);
        _fundReserve(5e6);
        assertEq(fund.coverableFor(address(market)), 5e6);
        assertEq(fund.coverableFor(stranger), 0);
        assertTrue(fund.hasOpenTopUp());
    }

    function test_marketFunctions_onlyAuthorizedMarkets() public {
        bytes memory refused = abi.encodeWithSelector(IInsuranceFund.MarketNotAuthorized.selector, address(this));
        vm.expectRevert(refused);
        fund.coverLoss(1);
        vm.expectRevert(refused);
        fund.addFunds(1);
    }

    function test_coverLoss_paysAtMostTheBalance() public {
        _fundReserve(5e6);
        vm.prank(address(market));
        assertEq(fund.coverLoss(9e6), 5e6);
        (uint256 added, uint256 covered,) = fund.totals();
        assertEq(added, 5e6);
        assertEq(covered, 5e6);
    }

    function test_owner_withdrawsWithinTheBalance() public {
        _fundReserve(5e6);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        fund.emergencyWithdraw(stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        fund.setMarketAuthorized(stranger, true);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IInsuranceFund.AmountOutOfRange.selector, 6e6, 5e6));
        fund.emergencyWithdraw(stranger, 6e6);
        fund.emergencyWithdraw(stranger, 2e6);
        vm.stopPrank();
        assertEq(cash.balanceOf(stranger), 2e6);
        assertEq(fund.asset(), address(cash));
    }

    function test_market_setInsuranceFundOnlyToAFundOfItsAsset() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, bytes32("insuranceFund")));
        market.setInsuranceFund(stranger);
        market.setInsuranceFund(address(fund));
        vm.stopPrank();
    }
}
