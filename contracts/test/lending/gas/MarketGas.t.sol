// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Whole transactions on warm state: plain ERC-20s, a pool with loans, wallets that hold both tokens. The bars
/// hold with `forge test --isolate`, which charges each call as its own transaction.
contract MarketGasTest is LendingTest {
    address private newcomer = makeAddress("newcomer");

    function setUp() public override {
        super.setUp();
        _give(newcomer, POOL);
        _giveCollateral(newcomer, 1_000e18);
        vm.startPrank(newcomer);
        token.approve(adapter, type(uint256).max);
        cash.approve(address(market), type(uint256).max);
        vm.stopPrank();
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

    function test_gas_addLiquidityFirst() public {
        vm.prank(lender);
        market.setOperatorFeeRecipient(newcomer);
        vm.prank(newcomer);
        market.addLiquidity(1_000e6);
        _assertAtMost("addLiquidity first", 145_000);
    }

    function test_gas_addLiquidityRepeat() public {
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        _assertAtMost("addLiquidity repeat", 105_000);
    }

    /// A wallet that never had a loan here.
    function test_gas_openLoanCustodyFirst() public {
        vm.prank(newcomer);
        market.openLoan(10e18, 500e6, _noPrice());
        _assertAtMost("openLoan CUSTODY first", 200_000);
    }

    function test_gas_openLoanCustodyRepeat() public {
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        _assertAtMost("openLoan CUSTODY repeat", 200_000);
    }

    function test_gas_borrowMoreFirst() public {
        vm.prank(borrower);
        market.borrowMore(1, 100e6, _noPrice());
        _assertAtMost("borrowMore first", 115_000);
    }

    function test_gas_borrowMoreRepeat() public {
        vm.prank(borrower);
        market.borrowMore(1, 100e6, _noPrice());
        skipTime(1 hours);
        vm.prank(borrower);
        market.borrowMore(1, 100e6, _noPrice());
        _assertAtMost("borrowMore repeat", 115_000);
    }

    function test_gas_repayPartialFirst() public {
        vm.prank(borrower);
        market.repay(3, 100e6);
        _assertAtMost("repay partial first", 95_000);
    }

    function test_gas_repayPartialRepeat() public {
        vm.prank(borrower);
        market.repay(1, 100e6);
        _assertAtMost("repay partial repeat", 95_000);
    }

    /// Less than the interest: what is left of it is interest since a later index, and needs no slot of its own.
    function test_gas_repayLessThanTheInterest() public {
        vm.prank(borrower);
        market.repay(1, 10_000);
        _assertAtMost("repay less than the interest", 96_000);
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
        _assertAtMost("repay partial with insurance", 101_000);
    }

    /// The interface sends repayments with 600,000: the return of the collateral has to fit.
    function test_gas_repayAllReturnsTheCollateral() public {
        uint256 held = token.balanceOf(borrower);
        vm.prank(borrower);
        (bool success,) = address(market).call{gas: 600_000}(abi.encodeCall(market.repay, (1, type(uint256).max)));
        assertTrue(success, "needs more than 600,000");
        assertEq(token.balanceOf(borrower) - held, 100e18);
    }

    function test_gas_withdrawCollateralWithDebtFirst() public {
        vm.prank(borrower);
        market.withdrawCollateral(1, 1e18, _noPrice());
        _assertAtMost("withdrawCollateral with debt first", 120_000);
    }

    function test_gas_withdrawCollateralWithDebtRepeat() public {
        vm.prank(borrower);
        market.withdrawCollateral(1, 1e18, _noPrice());
        skipTime(1 hours);
        vm.prank(borrower);
        market.withdrawCollateral(1, 1e18, _noPrice());
        _assertAtMost("withdrawCollateral with debt repeat", 120_000);
    }

    function test_gas_liquidateToRouterFirst() public {
        _setPrice(55e6);
        vm.prank(liquidator);
        market.liquidate(1, _noPrice());
        _assertAtMost("liquidate to router first", 270_000);
    }

    function test_gas_liquidateToRouterRepeat() public {
        _setPrice(55e6);
        _liquidate(1);
        skipTime(1 hours);
        _setPrice(50e6);
        vm.prank(liquidator);
        market.liquidate(1, _noPrice());
        _assertAtMost("liquidate to router repeat", 270_000);
    }

    function _assertAtMost(string memory name, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(name), bar, name);
    }
}
