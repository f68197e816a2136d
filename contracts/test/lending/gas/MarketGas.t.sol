// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Whole transactions on warm state: plain ERC-20s, a pool with loans, wallets that hold both tokens. The bars
/// hold with `forge test --isolate`, which charges each call as its own transaction.
contract MarketGasTest is LendingTest {
    function setUp() public override {
        super.setUp();
        _give(lender, POOL);
        _give(borrower, 10_000e6);
        _giveCollateral(recipient, 1e18);
        _giveCollateral(address(router), 1);
        _openLoan(100e18, 5_000e6);
        uint256 other = _openLoan(100e18, 7_000e6);
        skipTime(1 hours);
        _repay(1, 10e6);
        // A book of other loans, so that the pool's interest is never back at zero.
        vm.startPrank(borrower);
        market.openLoan(1_000e18, 50_000e6, _noPrice());
        vm.stopPrank();
        skipTime(1 hours);
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        // One realization has been through before.
        _setPrice(80e6);
        _liquidate(other);
        _setPrice(PRICE);
        skipTime(1 hours);
    }

    function test_gas_addLiquidityRepeat() public {
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        _assertAtMost("addLiquidity repeat", 115_000);
    }

    function test_gas_openLoanCustody() public {
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        _assertAtMost("openLoan CUSTODY", 260_000);
    }

    function test_gas_borrowMore() public {
        vm.prank(borrower);
        market.borrowMore(1, 100e6, _noPrice());
        _assertAtMost("borrowMore", 140_000);
    }

    function test_gas_repayPartial() public {
        vm.prank(borrower);
        market.repay(1, 100e6);
        _assertAtMost("repay partial", 120_000);
    }

    function test_gas_repayPartialWithInsurance() public {
        MarketConfig memory config = market.config();
        config.protocolFeeBps = 500;
        vm.prank(issuer);
        market.setConfig(config);
        skipTime(1 hours);
        vm.prank(borrower);
        market.repay(1, 100e6);
        skipTime(1 hours);
        vm.prank(borrower);
        market.repay(1, 100e6);
        _assertAtMost("repay partial with insurance", 125_000);
    }

    /// The interface sends repayments with 600,000: the return of the collateral has to fit.
    function test_gas_repayAllReturnsTheCollateral() public {
        uint256 held = token.balanceOf(borrower);
        vm.prank(borrower);
        (bool success,) = address(market).call{gas: 600_000}(abi.encodeCall(market.repay, (1, type(uint256).max)));
        assertTrue(success, "needs more than 600,000");
        assertEq(token.balanceOf(borrower) - held, 100e18);
    }

    function test_gas_withdrawCollateralWithDebt() public {
        vm.prank(borrower);
        market.withdrawCollateral(1, 1e18, _noPrice());
        _assertAtMost("withdrawCollateral with debt", 140_000);
    }

    function test_gas_liquidateToRouter() public {
        _setPrice(55e6);
        vm.prank(liquidator);
        market.liquidate(1, _noPrice());
        _assertAtMost("liquidate to router", 280_000);
    }

    function _assertAtMost(string memory name, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(name), bar, name);
    }
}
