// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PartitionedShare} from "../../src/demo/PartitionedShare.sol";
import {BaseTest} from "./BaseTest.sol";

/// @notice A share in steps of 10 units: alice holds 100 common and 50 locked.
abstract contract ShareTest is BaseTest {
    bytes32 internal constant COMMON = "common";
    bytes32 internal constant LOCKED = "locked";

    address internal issuer = makeAddress("issuer");
    address internal controller = makeAddress("controller");
    address internal operator = makeAddress("operator");
    address internal alice = makeAddress("alice");
    address internal bob = makeAddress("bob");
    PartitionedShare internal share;

    function setUp() public virtual {
        share = new PartitionedShare("Demo Share", "dSHARE", 2, 10, issuer);
        vm.startPrank(issuer);
        share.setController(controller, true);
        share.issueByPartition(COMMON, alice, 100, "");
        share.issueByPartition(LOCKED, alice, 50, "");
        vm.stopPrank();
    }

    function assertHolds(address holder, uint256 common, uint256 locked) internal view {
        assertEq(share.balanceOfByPartition(COMMON, holder), common, "common");
        assertEq(share.balanceOfByPartition(LOCKED, holder), locked, "locked");
        assertEq(share.balanceOf(holder), common + locked, "balance");
        assertEq(share.partitionsOf(holder).length, (common == 0 ? 0 : 1) + (locked == 0 ? 0 : 1), "partitions");
    }
}
