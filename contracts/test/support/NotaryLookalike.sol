// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Emits what `Notary` emits, from another address and without recording anything.
contract NotaryLookalike {
    event Recorded(bytes32 indexed id, uint256 amount, address indexed by);
    event Erased(bytes32 indexed id, address indexed by);

    function record(bytes32 id, uint256 amount) external {
        emit Recorded(id, amount, msg.sender);
    }

    function erase(bytes32 id) external {
        emit Erased(id, msg.sender);
    }
}
