// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {HookedCash, Reentrant} from "../../support/hostile/HookedCash.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice A borrower that is a contract uses hooks of either token to enter the market again.
contract ReentrancyAttackTest is LendingTest {
    Reentrant private attacker;

    function _makeCash() internal override returns (DemoCash) {
        return new HookedCash(6, address(this));
    }

    function _makeCollateral() internal override returns (IERC20) {
        return new HookedCash(18, address(this));
    }

    function setUp() public override {
        super.setUp();
        attacker = new Reentrant();
        _giveCollateral(address(attacker), 1_000e18);
        _give(address(attacker), 100_000e6);
        attacker.execute(address(token), abi.encodeCall(IERC20.approve, (adapter, type(uint256).max)));
        attacker.execute(address(cash), abi.encodeCall(IERC20.approve, (address(market), type(uint256).max)));
        attacker.execute(address(market), _open(100e18, 5_000e6));
    }

    function test_attack_throughTheBorrowToken() public {
        // 1. The borrow token calls the attacker while it pays out a draw.
        HookedCash(address(cash)).setHook(address(attacker));
        // 2. The attacker tries every way to use the half-done state.
        bytes[6] memory calls = [
            _open(100e18, 5_000e6),
            abi.encodeWithSignature("repay(uint256,uint256)", 1, 1e6),
            abi.encodeWithSignature("removeLiquidity(uint256)", 1),
            abi.encodeWithSignature("closeLoan(uint256)", 1),
            abi.encodeWithSignature("sweepInfrastructureFees()"),
            abi.encodeWithSignature("claimSurplus()")
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 before = attacker.attempts();
            attacker.prepare(address(market), calls[i]);
            attacker.execute(address(market), _borrowMore(10e6));
            // 3. Every attempt met the guard, and the outer call is the only one that counted.
            assertGt(attacker.attempts(), before);
            assertFalse(attacker.succeeded());
            assertEq(bytes4(attacker.reason()), ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        }
        assertEq(market.loan(1).principal, 5_000e6 + 60e6);
        _assertSolvent();
    }

    function test_attack_throughTheCollateralToken() public {
        // 1. The collateral calls the attacker while the adapter returns it.
        HookedCash(address(token)).setHook(address(attacker));
        // 2. It tries to take the same collateral again, and to borrow on it.
        bytes[3] memory calls = [
            abi.encodeWithSelector(market.withdrawCollateral.selector, 1, 10e18, _noPrice()),
            _borrowMore(1_000e6),
            abi.encodeWithSignature("repay(uint256,uint256)", 1, type(uint256).max)
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            attacker.prepare(address(market), calls[i]);
            attacker.execute(
                address(market), abi.encodeWithSelector(market.withdrawCollateral.selector, 1, 1e18, _noPrice())
            );
            assertFalse(attacker.succeeded());
        }
        // 3. Loan, adapter and token agree on what is left.
        assertEq(market.loan(1).collateral, 97e18);
        assertEq(token.balanceOf(adapter), 97e18);
    }

    function _open(uint256 collateral, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeWithSignature(
            "openLoan(uint256,uint256,(uint256,uint256,uint256,bytes))", collateral, amount, _noPrice()
        );
    }

    function _borrowMore(uint256 amount) private view returns (bytes memory) {
        return abi.encodeWithSelector(market.borrowMore.selector, 1, amount, _noPrice());
    }
}
