// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPartitionedShare} from "../../src/demo/interfaces/IPartitionedShare.sol";
import {ShareTest} from "../support/ShareTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice What operators, controllers and the issuer do.
contract PartitionedShareRolesTest is ShareTest {
    function _expectNotOperator() private {
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.NotOperator.selector, COMMON, operator, alice));
        vm.prank(operator);
    }

    function _authorize() private {
        vm.prank(alice);
        share.authorizeOperator(operator);
    }

    /* OPERATORS */

    function test_authorizeOperator_revertsForOneself() public {
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.OperatorIsHolder.selector, alice));
        share.authorizeOperator(alice);
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.OperatorIsHolder.selector, alice));
        share.authorizeOperatorByPartition(COMMON, alice);
    }

    function test_authorizeOperator_lastsUntilRevoked() public {
        vm.startPrank(alice);
        vm.expectEmit(address(share));
        emit IPartitionedShare.AuthorizedOperator(operator, alice);
        share.authorizeOperator(operator);
        assertTrue(share.isOperator(operator, alice));
        vm.expectEmit(address(share));
        emit IPartitionedShare.RevokedOperator(operator, alice);
        share.revokeOperator(operator);
        assertFalse(share.isOperator(operator, alice));
        vm.stopPrank();
        _expectNotOperator();
        share.operatorTransferByPartition(COMMON, alice, bob, 10, "", "");
    }

    function test_authorizeOperatorByPartition_coversThatPartitionUntilRevoked() public {
        vm.startPrank(alice);
        vm.expectEmit(address(share));
        emit IPartitionedShare.AuthorizedOperatorByPartition(LOCKED, operator, alice);
        share.authorizeOperatorByPartition(LOCKED, operator);
        vm.stopPrank();
        assertTrue(share.isOperatorForPartition(LOCKED, operator, alice));
        assertFalse(share.isOperatorForPartition(COMMON, operator, alice));
        vm.prank(operator);
        share.operatorTransferByPartition(LOCKED, alice, bob, 10, "", "");
        _expectNotOperator();
        share.operatorTransferByPartition(COMMON, alice, bob, 10, "", "");

        vm.expectEmit(address(share));
        emit IPartitionedShare.RevokedOperatorByPartition(LOCKED, operator, alice);
        vm.prank(alice);
        share.revokeOperatorByPartition(LOCKED, operator);
        assertFalse(share.isOperatorForPartition(LOCKED, operator, alice));
    }

    function test_operatorTransferByPartition_moves() public {
        _authorize();
        vm.expectEmit(address(share));
        emit IPartitionedShare.TransferByPartition(COMMON, operator, alice, bob, 30, "why", "who");
        vm.prank(operator);
        assertEq(share.operatorTransferByPartition(COMMON, alice, bob, 30, "why", "who"), COMMON);
        assertHolds(alice, 70, 50);
        assertHolds(bob, 30, 0);
    }

    function test_operatorRedeemByPartition_revertsWithoutAuthorization() public {
        _expectNotOperator();
        share.operatorRedeemByPartition(COMMON, alice, 10, "", "");
    }

    function test_operatorRedeemByPartition_redeems() public {
        _authorize();
        vm.expectEmit(address(share));
        emit IPartitionedShare.RedeemedByPartition(COMMON, operator, alice, 30, "why", "who");
        vm.prank(operator);
        share.operatorRedeemByPartition(COMMON, alice, 30, "why", "who");
        assertHolds(alice, 70, 50);
        assertEq(share.totalSupply(), 120);
    }

    /* CONTROLLERS */

    function test_controllerFunctions_revertForAnyoneElse() public {
        bytes memory refusal = abi.encodeWithSelector(IPartitionedShare.NotController.selector, issuer);
        vm.startPrank(issuer);
        vm.expectRevert(refusal);
        share.controllerTransfer(alice, bob, 10, "", "");
        vm.expectRevert(refusal);
        share.controllerRedeem(alice, 10, "", "");
    }

    function test_controllerFunctions_revertOnceControlIsRenounced() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.ControlRenounced();
        vm.prank(issuer);
        share.renounceControl();
        assertFalse(share.isControllable());
        vm.startPrank(controller);
        vm.expectRevert(IPartitionedShare.NotControllable.selector);
        share.controllerTransfer(alice, bob, 10, "", "");
        vm.expectRevert(IPartitionedShare.NotControllable.selector);
        share.controllerRedeem(alice, 10, "", "");
    }

    function test_controllerTransfer_revertsBeyondTheBalance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 150, 160));
        vm.prank(controller);
        share.controllerTransfer(alice, bob, 160, "", "");
    }

    function test_controllerTransfer_movesAcrossPartitions() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.ControllerTransfer(controller, alice, bob, 120, "why", "who");
        vm.prank(controller);
        share.controllerTransfer(alice, bob, 120, "why", "who");
        assertHolds(alice, 0, 30);
        assertHolds(bob, 100, 20);
    }

    function test_controllerRedeem_revertsBeyondTheBalance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 150, 160));
        vm.prank(controller);
        share.controllerRedeem(alice, 160, "", "");
    }

    function test_controllerRedeem_revertsOffTheGranularity() public {
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.NotMultipleOfGranularity.selector, 5, 10));
        vm.prank(controller);
        share.controllerRedeem(alice, 105, "", "");
    }

    function test_controllerRedeem_redeemsAcrossPartitions() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.RedeemedByPartition(COMMON, controller, alice, 100, "why", "who");
        vm.expectEmit(address(share));
        emit IPartitionedShare.RedeemedByPartition(LOCKED, controller, alice, 20, "why", "who");
        vm.expectEmit(address(share));
        emit IPartitionedShare.ControllerRedemption(controller, alice, 120, "why", "who");
        vm.prank(controller);
        share.controllerRedeem(alice, 120, "why", "who");
        assertHolds(alice, 0, 30);
        assertEq(share.totalSupply(), 30);
    }

    /* ISSUER */

    function test_ownerFunctions_revertForAnyoneElse() public {
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, controller);
        vm.startPrank(controller);
        vm.expectRevert(refusal);
        share.issueByPartition(COMMON, alice, 10, "");
        vm.expectRevert(refusal);
        share.setController(controller, true);
        vm.expectRevert(refusal);
        share.closeIssuance();
        vm.expectRevert(refusal);
        share.renounceControl();
        vm.expectRevert(refusal);
        share.setDocument("terms", "ipfs://terms", 0);
        vm.expectRevert(refusal);
        share.removeDocument("terms");
    }

    function test_issueByPartition_revertsOffTheGranularityAndToNobody() public {
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.NotMultipleOfGranularity.selector, 1, 10));
        share.issueByPartition(COMMON, bob, 1, "");
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        share.issueByPartition(COMMON, address(0), 10, "");
    }

    function test_issueByPartition_revertsOnceClosed() public {
        vm.startPrank(issuer);
        vm.expectEmit(address(share));
        emit IPartitionedShare.IssuanceClosed();
        share.closeIssuance();
        assertFalse(share.isIssuable());
        vm.expectRevert(IPartitionedShare.IssuanceIsClosed.selector);
        share.issueByPartition(COMMON, bob, 10, "");
    }

    function testFuzz_issueByPartition_raisesBalanceAndSupply(bytes32 partition, uint256 steps) public {
        uint256 value = bound(steps, 1, 1e30) * 10;
        vm.assume(partition != COMMON && partition != LOCKED);
        vm.expectEmit(address(share));
        emit IPartitionedShare.IssuedByPartition(partition, issuer, bob, value, "why", "");
        vm.prank(issuer);
        share.issueByPartition(partition, bob, value, "why");
        assertEq(share.balanceOfByPartition(partition, bob), value);
        assertEq(share.balanceOf(bob), value);
        assertEq(share.totalSupplyByPartition(partition), value);
        assertEq(share.totalSupply(), 150 + value);
        assertEq(share.partitionsOf(bob)[0], partition);
    }

    function test_setController_dismisses() public {
        vm.expectEmit(address(share));
        emit IPartitionedShare.ControllerSet(controller, false);
        vm.prank(issuer);
        share.setController(controller, false);
        assertFalse(share.isController(controller));
    }

    /* DOCUMENTS */

    function test_getDocument_isEmptyForAnUnknownName() public view {
        (string memory uri, bytes32 documentHash, uint256 lastModified) = share.getDocument("terms");
        assertEq(uri, "");
        assertEq(documentHash, bytes32(0));
        assertEq(lastModified, 0);
    }

    function test_removeDocument_revertsForAnUnknownName() public {
        vm.expectRevert(abi.encodeWithSelector(IPartitionedShare.DocumentNotFound.selector, bytes32("terms")));
        vm.prank(issuer);
        share.removeDocument("terms");
    }

    function test_setDocument_keepsReplacesAndRemoves() public {
        vm.warp(1_000);
        vm.startPrank(issuer);
        share.setDocument("terms", "ipfs://old", "old");
        vm.warp(2_000);
        vm.expectEmit(address(share));
        emit IPartitionedShare.DocumentUpdated("terms", "ipfs://new", "new");
        share.setDocument("terms", "ipfs://new", "new");
        (string memory uri, bytes32 documentHash, uint256 lastModified) = share.getDocument("terms");
        assertEq(uri, "ipfs://new");
        assertEq(documentHash, "new");
        assertEq(lastModified, 2_000);
        assertEq(share.getAllDocuments().length, 1);

        vm.expectEmit(address(share));
        emit IPartitionedShare.DocumentRemoved("terms", "ipfs://new", "new");
        share.removeDocument("terms");
        (uri,, lastModified) = share.getDocument("terms");
        assertEq(uri, "");
        assertEq(lastModified, 0);
        assertEq(share.getAllDocuments().length, 0);
    }
}
