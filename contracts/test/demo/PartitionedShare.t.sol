// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PartitionedShare} from "../../src/demo/PartitionedShare.sol";
import {IPartitionedShare} from "../../src/demo/interfaces/IPartitionedShare.sol";
import {ShareTest} from "../support/ShareTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice What holders do: by partition, and through ERC-20 without naming one.
contract PartitionedShareTest is ShareTest {
    function _expectPartitionTooLow(address holder, uint256 balance, uint256 needed) private {
        vm.expectRevert(
            abi.encodeWithSelector(IPartitionedShare.PartitionBalanceTooLow.selector, COMMON, holder, balance, needed)
        );
    }

    function _expectNotMultiple(uint256 value) private {
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.NotMultipleOfGranularity.selector, value, 10));
    }

    function test_constructor_revertsWithoutGranularity() public {
        vm.expectRevert(IPartitionedShare.GranularityIsZero.selector);
        new PartitionedShare("", "", 0, 0, issuer);
    }

    function test_constructor_setsWhatReadersAskFor() public view {
        assertEq(share.name(), "Demo Share");
        assertEq(share.symbol(), "dSHARE");
        assertEq(share.decimals(), 2);
        assertEq(share.granularity(), 10);
        assertTrue(share.isIssuable());
        assertTrue(share.isControllable());
        assertEq(share.totalSupply(), 150);
        assertEq(share.totalSupplyByPartition(COMMON), 100);
        assertEq(share.totalSupplyByPartition(LOCKED), 50);
        assertHolds(alice, 100, 50);
    }

    /* BY PARTITION */

    function test_transferByPartition_revertsBeyondThePartition() public {
        _expectPartitionTooLow(alice, 100, 110);
        vm.prank(alice);
        share.transferByPartition(COMMON, bob, 110, "");
    }

    function test_transferByPartition_revertsOffTheGranularity() public {
        _expectNotMultiple(15);
        vm.prank(alice);
        share.transferByPartition(COMMON, bob, 15, "");
    }

    function test_transferByPartition_revertsToTheZeroAddress() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vm.prank(alice);
        share.transferByPartition(COMMON, address(0), 10, "");
    }

    function test_transferByPartition_movesWithinThePartition() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.TransferByPartition(COMMON, alice, alice, bob, 100, "why", "");
        vm.prank(alice);
        assertEq(share.transferByPartition(COMMON, bob, 100, "why"), COMMON);
        assertHolds(alice, 0, 50);
        assertHolds(bob, 100, 0);
    }

    function test_redeemByPartition_revertsBeyondThePartition() public {
        _expectPartitionTooLow(bob, 0, 10);
        vm.prank(bob);
        share.redeemByPartition(COMMON, 10, "");
    }

    function test_redeemByPartition_revertsOffTheGranularity() public {
        _expectNotMultiple(1);
        vm.prank(alice);
        share.redeemByPartition(COMMON, 1, "");
    }

    function test_redeemByPartition_lowersBalanceAndSupply() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.RedeemedByPartition(LOCKED, alice, alice, 50, "why", "");
        vm.prank(alice);
        share.redeemByPartition(LOCKED, 50, "why");
        assertHolds(alice, 100, 0);
        assertEq(share.totalSupplyByPartition(LOCKED), 0);
        assertEq(share.totalSupply(), 100);
    }

    /* ERC-20 */

    function test_transfer_revertsBeyondAllPartitions() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 150, 160));
        vm.prank(alice);
        share.transfer(bob, 160);
    }

    function test_transfer_revertsOffTheGranularity() public {
        _expectNotMultiple(19);
        vm.prank(alice);
        share.transfer(bob, 19);
    }

    function testFuzz_transfer_drawsOnPartitionsInOrder(uint256 value) public {
        value = bound(value, 0, 15) * 10;
        vm.prank(alice);
        assertTrue(share.transfer(bob, value));
        uint256 common = value < 100 ? value : 100;
        assertHolds(bob, common, value - common);
        assertHolds(alice, 100 - common, 50 - (value - common));
        assertEq(share.totalSupply(), 150);
    }

    function test_transfer_announcesEachPartition() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.TransferByPartition(COMMON, alice, alice, bob, 100, "", "");
        vm.expectEmit(address(share));
        emit IPartitionedShare.TransferByPartition(LOCKED, alice, alice, bob, 20, "", "");
        vm.prank(alice);
        share.transfer(bob, 120);
    }

    function testFuzz_transfer_toOneselfChangesNothing(uint256 value) public {
        value = bound(value, 0, 15) * 10;
        vm.prank(alice);
        share.transfer(alice, value);
        assertHolds(alice, 100, 50);
    }

    function test_transferFrom_needsAnAllowance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, operator, 0, 10));
        vm.prank(operator);
        share.transferFrom(alice, bob, 10);

        vm.prank(alice);
        share.approve(operator, 10);
        vm.prank(operator);
        assertTrue(share.transferFrom(alice, bob, 10));
        assertHolds(bob, 10, 0);
    }

    /* TRANSFER VALIDITY */

    function _assertVerdict(address to, uint256 value, bytes1 status, bytes32 reason) private {
        vm.prank(alice);
        (bytes1 actualStatus, bytes32 actualReason) = share.canTransfer(to, value, "");
        assertEq(actualStatus, status);
        assertEq(actualReason, reason);
    }

    function test_canTransfer_answersAStatusCode() public {
        _assertVerdict(bob, 150, 0x51, "SUCCESS");
        _assertVerdict(bob, 160, 0x52, "INSUFFICIENT_BALANCE");
        _assertVerdict(bob, 15, 0x50, "NOT_MULTIPLE_OF_GRANULARITY");
        _assertVerdict(address(0), 10, 0x57, "INVALID_RECEIVER");
    }

    function test_canTransferFrom_asksForTheAllowance() public {
        vm.prank(operator);
        (bytes1 status, bytes32 reason) = share.canTransferFrom(alice, bob, 10, "");
        assertEq(status, bytes1(0x53));
        assertEq(reason, "INSUFFICIENT_ALLOWANCE");

        vm.prank(alice);
        share.approve(operator, 10);
        vm.prank(operator);
        (status,) = share.canTransferFrom(alice, bob, 10, "");
        assertEq(status, bytes1(0x51));
    }

    function test_canTransferByPartition_answersTheDestination() public view {
        (bytes1 status, bytes32 reason, bytes32 destination) = share.canTransferByPartition(alice, bob, LOCKED, 50, "");
        assertEq(status, bytes1(0x51));
        assertEq(reason, "SUCCESS");
        assertEq(destination, LOCKED);
        (status,, destination) = share.canTransferByPartition(alice, bob, LOCKED, 60, "");
        assertEq(status, bytes1(0x52));
        assertEq(destination, bytes32(0));
    }

    /// @dev The verdict and the transfer itself agree.
    function testFuzz_canTransferByPartition_keepsItsWord(uint256 value, bool locked, bool toNobody) public {
        value = bound(value, 0, 120);
        bytes32 partition = locked ? LOCKED : COMMON;
        address to = toNobody ? address(0) : bob;
        (bytes1 status,,) = share.canTransferByPartition(alice, to, partition, value, "");
        vm.prank(alice);
        (bool success,) = address(share).call(abi.encodeCall(share.transferByPartition, (partition, to, value, "")));
        assertEq(success, status == 0x51);
    }
}
