// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Does with a call what the call asks for: answer or revert with given bytes, after burning a given gas.
contract Responder {
    uint256 public counter;

    error AskedToFail(uint256 detail);

    function answer(bytes calldata data) external pure {
        bytes memory copy = data;
        assembly ("memory-safe") {
            return(add(copy, 0x20), mload(copy))
        }
    }

    function fail(bytes calldata data) external pure {
        bytes memory copy = data;
        assembly ("memory-safe") {
            revert(add(copy, 0x20), mload(copy))
        }
    }

    function failWithError(uint256 detail) external pure {
        revert AskedToFail(detail);
    }

    /// @dev Memory costs what it costs: `size` bytes of zeroes.
    function answerZeroes(uint256 size) external pure {
        assembly ("memory-safe") {
            return(mload(0x40), size)
        }
    }

    function failZeroes(uint256 size) external pure {
        assembly ("memory-safe") {
            revert(mload(0x40), size)
        }
    }

    function burnAll() external pure {
        while (true) {}
    }

    /// @dev The callee runs dry in a frame of its own, so this frame survives with 1/64 of the gas and reverts.
    function burnAllInside(uint256 depth) external view {
        bytes memory inner =
            depth == 0 ? abi.encodeCall(this.burnAll, ()) : abi.encodeCall(this.burnAllInside, (depth - 1));
        (bool success,) = address(this).staticcall(inner);
        require(success, AskedToFail(depth));
    }

    /// @dev Succeeds only when it was given at least this much gas.
    function requireGas(uint256 atLeast) external view returns (uint256 given) {
        given = gasleft();
        require(given >= atLeast, AskedToFail(given));
    }

    function self() external view returns (address) {
        return address(this);
    }

    function number() external pure returns (uint256) {
        return 7;
    }

    function nothing() external pure {}

    /// @dev Refused in a static call.
    function write() external returns (uint256) {
        return ++counter;
    }
}
