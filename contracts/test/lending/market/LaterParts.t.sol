// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A market keeps in bits what it has not: whatever it gets later is in force at once, for open loans as well.
contract LaterPartsTest is LendingTest {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 1_000e6);
    }

    function test_aRegisterOfBorrowers() public {
        address register = address(new DemoIdentityRegistry(address(this)));
        vm.prank(admin);
        market.setIdentityGates(register, address(0));
        bytes memory refusal = abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower);
        vm.expectRevert(refusal);
        _openLoan(10e18, 500e6);
        vm.expectRevert(refusal);
        _drawMore();
        vm.prank(admin);
        market.setIdentityGates(address(0), address(0));
        _openLoan(10e18, 500e6);
        _drawMore();
    }

    function test_aTermOfLoans() public {
        _setTerm(30 days, 0);
        assertEq(market.loan(_openLoan(10e18, 500e6)).dueAt, block.timestamp + 30 days);
        _setTerm(0, 0);
        assertEq(market.loan(_openLoan(10e18, 500e6)).dueAt, 0);
    }

    function test_aLastDay() public {
        uint256 lastDay = block.timestamp + 30 days;
        _setTerm(0, lastDay);
        assertEq(market.loan(_openLoan(10e18, 500e6)).dueAt, lastDay);
        vm.warp(lastDay);
        _setPrice(PRICE);
        bytes memory refusal = abi.encodeWithSelector(IMarketErrors.MarketTermExpired.selector, lastDay);
        vm.expectRevert(refusal);
        _openLoan(10e18, 500e6);
        vm.expectRevert(refusal);
        _drawMore();
    }

    function test_aCapOfTheWholeMarket() public {
        MarketConfig memory config = market.config();
        config.maxTotalCollateral = 105e18;
        vm.prank(issuer);
        market.setConfig(config);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.SupplyCapExceeded.selector, 110e18, 105e18));
        _openLoan(10e18, 500e6);
        // Another setting leaves the cap in force.
        _setTerm(30 days, 0);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.SupplyCapExceeded.selector, 106e18, 105e18));
        vm.prank(borrower);
        market.addCollateral(loanId, 6e18);
    }

    function _drawMore() private {
        vm.prank(borrower);
        market.borrowMore(loanId, 100e6, _noPrice());
    }

    function _setTerm(uint256 duration, uint256 lastDay) private {
        vm.prank(issuer);
        market.setTermConfig(duration, 3 days, lastDay, 0);
    }
}
