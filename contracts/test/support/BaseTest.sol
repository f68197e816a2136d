// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Assertions} from "./Assertions.sol";

/// @notice What every test contract starts from: cheatcodes, assertions, named actors, bounded fuzz inputs.
abstract contract BaseTest is Assertions {
    /// @notice An address with a known key and a label in traces. The same name always gives the same actor.
    function makeActor(string memory name) internal returns (address account, uint256 privateKey) {
        privateKey = uint256(keccak256(bytes(name)));
        account = vm.addr(privateKey);
        vm.label(account, name);
    }

    function makeAddress(string memory name) internal returns (address account) {
        (account,) = makeActor(name);
    }

    function skipTime(uint256 duration) internal {
        vm.warp(vm.getBlockTimestamp() + duration);
    }

    /// @notice Folds a fuzzed value into [min, max]; a value already inside stays as it is.
    function bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        require(min <= max, "bound: min above max");
        if (value >= min && value <= max) return value;
        // The whole range is excluded above, so max - min + 1 cannot overflow.
        return min + value % (max - min + 1);
    }

    function bound(int256 value, int256 min, int256 max) internal pure returns (int256) {
        require(min <= max, "bound: min above max");
        if (value >= min && value <= max) return value;
        unchecked {
            // Two's complement: the width of the range is right even where a signed subtraction would overflow.
            uint256 width = uint256(max) - uint256(min) + 1;
            return int256(uint256(min) + uint256(value) % width);
        }
    }

    function signDigest(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }
}
