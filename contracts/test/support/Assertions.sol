// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "./Vm.sol";

/// @notice Assertions that stop the test at the first failure and print both sides.
abstract contract Assertions {
    /// @dev The address at which forge answers cheatcodes.
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function assertTrue(bool condition) internal pure {
        vm.assertTrue(condition);
    }

    function assertTrue(bool condition, string memory message) internal pure {
        vm.assertTrue(condition, message);
    }

    function assertFalse(bool condition) internal pure {
        vm.assertFalse(condition);
    }

    function assertFalse(bool condition, string memory message) internal pure {
        vm.assertFalse(condition, message);
    }

    function assertEq(bool left, bool right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bool left, bool right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(int256 left, int256 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(int256 left, int256 right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(address left, address right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(address left, address right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(bytes32 left, bytes32 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes32 left, bytes32 right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(string memory left, string memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(string memory left, string memory right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(bytes memory left, bytes memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes memory left, bytes memory right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(uint256[] memory left, uint256[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(uint256[] memory left, uint256[] memory right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(address[] memory left, address[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(address[] memory left, address[] memory right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertEq(bytes32[] memory left, bytes32[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes32[] memory left, bytes32[] memory right, string memory message) internal pure {
        vm.assertEq(left, right, message);
    }

    function assertNotEq(uint256 left, uint256 right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertNotEq(left, right, message);
    }

    function assertNotEq(address left, address right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(address left, address right, string memory message) internal pure {
        vm.assertNotEq(left, right, message);
    }

    function assertNotEq(bytes32 left, bytes32 right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(bytes32 left, bytes32 right, string memory message) internal pure {
        vm.assertNotEq(left, right, message);
    }

    function assertLt(uint256 left, uint256 right) internal pure {
        vm.assertLt(left, right, "");
    }

    function assertLt(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertLt(left, right, message);
    }

    function assertLt(int256 left, int256 right) internal pure {
        vm.assertLt(left, right, "");
    }

    function assertLt(int256 left, int256 right, string memory message) internal pure {
        vm.assertLt(left, right, message);
    }

    function assertLe(uint256 left, uint256 right) internal pure {
        vm.assertLe(left, right, "");
    }

    function assertLe(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertLe(left, right, message);
    }

    function assertLe(int256 left, int256 right) internal pure {
        vm.assertLe(left, right, "");
    }

    function assertLe(int256 left, int256 right, string memory message) internal pure {
        vm.assertLe(left, right, message);
    }

    function assertGt(uint256 left, uint256 right) internal pure {
        vm.assertGt(left, right, "");
    }

    function assertGt(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertGt(left, right, message);
    }

    function assertGt(int256 left, int256 right) internal pure {
        vm.assertGt(left, right, "");
    }

    function assertGt(int256 left, int256 right, string memory message) internal pure {
        vm.assertGt(left, right, message);
    }

    function assertGe(uint256 left, uint256 right) internal pure {
        vm.assertGe(left, right, "");
    }

    function assertGe(uint256 left, uint256 right, string memory message) internal pure {
        vm.assertGe(left, right, message);
    }

    function assertGe(int256 left, int256 right) internal pure {
        vm.assertGe(left, right, "");
    }

    function assertGe(int256 left, int256 right, string memory message) internal pure {
        vm.assertGe(left, right, message);
    }

    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta) internal pure {
        vm.assertApproxEqAbs(left, right, maxDelta, "");
    }

    /// @param maxPercentDelta 1e18 is 100 %.
    function assertApproxEqRel(uint256 left, uint256 right, uint256 maxPercentDelta) internal pure {
        vm.assertApproxEqRel(left, right, maxPercentDelta, "");
    }
}
