// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IInsuranceFund} from "../../../src/lending/interfaces/IInsuranceFund.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract SweepsTest is LendingTest {
    function _earn() private {
        MarketConfig memory config = market.config();
        config.protocolFeeBps = 500;
        vm.prank(issuer);
        market.setConfig(config);
        uint256 loanId = _openLoan(10_000e18, 500_000e6);
        skipTime(100 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
    }

    function test_sweeps_revertWhenNothingIsBooked() public {
        vm.expectRevert(IMarketErrors.NothingToSweep.selector);
        market.sweepInfrastructureFees();
        vm.expectRevert(IMarketErrors.NothingToSweep.selector);
        market.sweepOperatorFees();
        vm.expectRevert(IMarketErrors.NothingToSweep.selector);
        market.sweepProtocolFees();
        vm.expectRevert(IMarketErrors.NothingToSweep.selector);
        market.sweepDistributorFees(lender);
    }

    function test_sweepInfrastructureFees_paysThePlatformWhoeverCalls() public {
        _earn();
        uint256 booked = market.pool().infrastructureFees;
        vm.expectEmit(address(market));
        emit IMarketEvents.InfrastructureFeePaid(platform, booked);
        vm.prank(stranger);
        assertEq(market.sweepInfrastructureFees(), booked);
        assertEq(cash.balanceOf(platform), booked);
        _assertSolvent();
    }

    function test_sweepOperatorFees_followsTheOperatorWallet() public {
        _earn();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotOperator.selector, stranger));
        market.setOperatorFeeRecipient(stranger);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, bytes32("operatorFeeRecipient")));
        market.setOperatorFeeRecipient(address(0));
        vm.prank(lender);
        market.setOperatorFeeRecipient(stranger);
        uint256 booked = market.sweepOperatorFees();
        assertEq(cash.balanceOf(stranger), booked);
        _assertSolvent();
    }

    function test_sweepDistributorFees_paysTheProvider() public {
        _earn();
        uint256 booked = market.distributorFeesPayable(lender);
        assertApproxEqAbs(booked, market.pool().distributorFees, 1);
        market.sweepDistributorFees(lender);
        assertEq(cash.balanceOf(lender), booked);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ProviderCollectsItself.selector, address(fund)));
        market.sweepDistributorFees(address(fund));
        _assertSolvent();
    }

    function test_sweepProtocolFees_fillsTheFundThatListsTheMarket() public {
        _earn();
        uint256 booked = market.sweepProtocolFees();
        assertEq(cash.balanceOf(address(fund)), booked);
        _assertSolvent();
    }

    function test_sweepProtocolFees_revertsWhenTheFundDoesNotListTheMarket() public {
        _earn();
        vm.prank(admin);
        fund.setMarketAuthorized(address(market), false);
        vm.expectRevert(abi.encodeWithSelector(IInsuranceFund.MarketNotAuthorized.selector, address(market)));
        market.sweepProtocolFees();
    }
}
