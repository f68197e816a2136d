// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PartitionedShare} from "../../src/demo/PartitionedShare.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {InvariantTest} from "../support/InvariantTest.sol";

/// @notice Makes every move of a share between three holders and two partitions; each call is within the rules.
contract ShareMoves is BaseTest {
    PartitionedShare public immutable share;
    address[3] public holders;
    bytes32[2] public partitions = [bytes32("common"), bytes32("locked")];

    constructor() {
        share = new PartitionedShare("", "", 0, 1, address(this));
        share.setController(address(this), true);
        holders = [makeAddress("one"), makeAddress("two"), makeAddress("three")];
    }

    function issue(uint256 partition, uint256 to, uint96 value) external {
        share.issueByPartition(partitions[partition % 2], holders[to % 3], value, "");
    }

    function redeem(uint256 partition, uint256 from, uint256 value) external {
        (bytes32 chosen, address holder) = (partitions[partition % 2], holders[from % 3]);
        value = bound(value, 0, share.balanceOfByPartition(chosen, holder));
        vm.prank(holder);
        share.redeemByPartition(chosen, value, "");
    }

    function transferByPartition(uint256 partition, uint256 from, uint256 to, uint256 value) external {
        (bytes32 chosen, address holder) = (partitions[partition % 2], holders[from % 3]);
        value = bound(value, 0, share.balanceOfByPartition(chosen, holder));
        vm.prank(holder);
        share.transferByPartition(chosen, holders[to % 3], value, "");
    }

    function transfer(uint256 from, uint256 to, uint256 value) external {
        value = bound(value, 0, share.balanceOf(holders[from % 3]));
        vm.prank(holders[from % 3]);
        share.transfer(holders[to % 3], value);
    }

    function controllerRedeem(uint256 from, uint256 value) external {
        share.controllerRedeem(holders[from % 3], bound(value, 0, share.balanceOf(holders[from % 3])), "", "");
    }
}

contract PartitionedShareInvariantTest is InvariantTest {
    ShareMoves private _moves;
    PartitionedShare private _share;

    function setUp() public {
        _moves = new ShareMoves();
        _share = _moves.share();
        targetContract(address(_moves));
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = ShareMoves.issue.selector;
        selectors[1] = ShareMoves.redeem.selector;
        selectors[2] = ShareMoves.transferByPartition.selector;
        selectors[3] = ShareMoves.transfer.selector;
        selectors[4] = ShareMoves.controllerRedeem.selector;
        targetSelectors(address(_moves), selectors);
    }

    function invariant_balanceIsTheSumOfItsPartitions() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address holder = _moves.holders(i);
            bytes32[] memory held = _share.partitionsOf(holder);
            uint256 sum = 0;
            for (uint256 j = 0; j < held.length; ++j) {
                uint256 balance = _share.balanceOfByPartition(held[j], holder);
                assertGt(balance, 0, "an empty partition is listed");
                sum += balance;
            }
            assertEq(sum, _share.balanceOf(holder));
        }
    }

    function invariant_supplyIsTheSumOfPartitionsAndOfHolders() public view {
        uint256 byPartition = 0;
        for (uint256 i = 0; i < 2; ++i) {
            byPartition += _share.totalSupplyByPartition(_moves.partitions(i));
        }
        uint256 byHolder = 0;
        for (uint256 i = 0; i < 3; ++i) {
            byHolder += _share.balanceOf(_moves.holders(i));
        }
        assertEq(_share.totalSupply(), byPartition);
        assertEq(_share.totalSupply(), byHolder);
    }
}
