// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {CollateralMode, DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {BoundedTransferLib} from "../../../src/lending/libraries/BoundedTransferLib.sol";
import {RegisterLib} from "../../../src/lending/libraries/RegisterLib.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {HalfHeartedToken, SenderFeeToken} from "../../support/hostile/DishonestTokens.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice A token that takes more from the adapter than it was told to move.
contract SenderFeeTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new SenderFeeToken(18);
    }

    function test_return_revertsRatherThanBookAnotherAmount() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _openLoan(100e18, 5_000e6);
        SenderFeeToken(address(token)).setOn(true);
        vm.prank(borrower);
        vm.expectRevert(
            abi.encodeWithSelector(
                BoundedTransferLib.UnexpectedTransfer.selector, address(token), 100e18, uint256(101e18)
            )
        );
        market.repay(loanId, type(uint256).max);
        SenderFeeToken(address(token)).setOn(false);
        _repay(loanId, type(uint256).max);
        assertEq(token.balanceOf(adapter), 100e18);
    }
}

/// @notice A token that freezes and forces less than it was asked for.
contract HalfHeartedTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new HalfHeartedToken();
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.mode = CollateralMode.FREEZE;
    }

    function _expectMoved(uint256 asked) private {
        vm.expectRevert(
            abi.encodeWithSelector(ICollateralAdapter.CollateralMoved.selector, address(token), asked, asked / 2)
        );
    }

    function testFuzz_pledge_revertsUnlessAllOfItIsFrozen(uint256 collateral) public {
        collateral = bound(collateral, 100e18, 10_000e18);
        HalfHeartedToken(address(token)).setOn(true);
        vm.prank(borrower);
        _expectMoved(collateral);
        market.openLoan(collateral, 5_000e6, _noPrice());
    }

    function test_seizure_revertsUnlessAllOfItArrives() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        HalfHeartedToken(address(token)).setOn(true);
        vm.prank(liquidator);
        _expectMoved(45.9375e18);
        market.liquidate(loanId, _noPrice());
    }
}

/// @notice A register whose answer is dear: a caller that starves it gets a refusal of the call, not of the wallet.
contract StarvedRegisterTest is TrexWorld {
    function test_openLoan_saysThatTheRegisterNeedsMoreGas() public {
        vm.prank(admin);
        market.setIdentityGates(address(registry), address(0));
        bytes memory open = abi.encodeWithSignature(
            "openLoan(uint256,uint256,(uint256,uint256,uint256,bytes))", 100e18, 5_000e6, _noPrice()
        );
        bool isSaid;
        for (uint256 gas = 40_000; gas < 300_000 && !isSaid; gas += 5_000) {
            vm.prank(borrower);
            (bool success, bytes memory reason) = address(market).call{gas: gas}(open);
            isSaid = !success && reason.length == 4 && bytes4(reason) == RegisterLib.RegisterNeedsMoreGas.selector;
        }
        assertTrue(isSaid);
        vm.prank(borrower);
        (bool opened,) = address(market).call(open);
        assertTrue(opened);
    }
}
