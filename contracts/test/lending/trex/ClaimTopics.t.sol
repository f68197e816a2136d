// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {BoundedTransferLib} from "../../../src/lending/libraries/BoundedTransferLib.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice Each claim that a token wants of its holders makes every transfer to them and every look at them dearer. Calls
/// are cold, as in a transaction of their own, when the tests are run with `--isolate`.
contract TrexClaimTopicsTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;

    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function _want(uint256 topics) private {
        _requireTopics(topics);
        _addClaims(borrowerIdentity);
    }

    function _repayWith(uint256 gas, uint256 loanId) private returns (bool success, bytes memory reason) {
        vm.prank(borrower);
        return address(market).call{gas: gas}(abi.encodeCall(market.repay, (loanId, type(uint256).max)));
    }

    function _openWith(uint256 gas) private returns (bool success, bytes memory reason) {
        bytes memory open = abi.encodeWithSignature(
            "openLoan(uint256,uint256,(uint256,uint256,uint256,bytes))", 100e18, 5_000e6, _noPrice()
        );
        vm.prank(borrower);
        return address(market).call{gas: gas}(open);
    }

    function test_register_refusesAHolderThatLacksTheLastOfEightClaims() public {
        _want(7);
        _requireTopics(8);
        vm.prank(admin);
        market.setIdentityGates(address(registry), address(0));
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower));
        market.openLoan(100e18, 5_000e6, _noPrice());
    }

    function test_register_withTooLittleGasIsNoRefusal() public {
        _want(8);
        vm.prank(admin);
        market.setIdentityGates(address(registry), address(0));
        for (uint256 gas = 100_000; gas < 1_500_000; gas += 20_000) {
            uint256 state = vm.snapshotState();
            (bool success, bytes memory reason) = _openWith(gas);
            assertTrue(success || bytes4(reason) != IMarketErrors.NotVerified.selector);
            vm.revertToState(state);
        }
    }

    function test_return_withTooLittleGasIsNoRefusal() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _want(8);
        bool isSaid;
        for (uint256 gas = 100_000; gas < 1_500_000; gas += 20_000) {
            uint256 state = vm.snapshotState();
            (bool success, bytes memory reason) = _repayWith(gas, loanId);
            if (success) assertEq(security.balanceOf(borrower), HELD);
            else if (bytes4(reason) == BoundedTransferLib.TransferNeedsMoreGas.selector) isSaid = true;
            vm.revertToState(state);
        }
        assertTrue(isSaid);
    }

    function testFuzz_return_arrivesWithUpToEightClaims(uint256 topics) public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _want(bound(topics, 2, 8));
        _repay(loanId, type(uint256).max);
        assertEq(CustodyAdapter(adapter).totalEscrowed(), 0);
        _assertHolding(borrower, HELD, 0);
    }

    function testFuzz_register_answersWithUpToEightClaims(uint256 topics) public {
        vm.prank(admin);
        market.setIdentityGates(address(registry), address(0));
        uint256 count = bound(topics, 2, 8);
        _want(count);
        // The adapter receives the pledge, so it needs the claims too.
        _addClaims(registry.identity(adapter));
        _openLoan(100e18, 5_000e6);
        _assertHolding(adapter, 100e18, 0);
    }

    function test_gas_withEightClaims() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _want(8);
        registry.isVerified(borrower);
        vm.snapshotGasLastCall("registry: isVerified, 8 claims");
        _repay(loanId, type(uint256).max);
        vm.snapshotGasLastCall("repay all, 8 claims");
        assertEq(CustodyAdapter(adapter).totalEscrowed(), 0);
        vm.prank(borrower);
        security.transfer(borrower, 1e18);
        vm.snapshotGasLastCall("token: transfer, 8 claims");
    }
}
