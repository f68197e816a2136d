// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The smallest contract with an entity, an event per change and errors: what confirmations are tested against.
contract Notary {
    event Recorded(bytes32 indexed id, uint256 amount, address indexed by);
    event Erased(bytes32 indexed id, address indexed by);

    error AlreadyRecorded(bytes32 id);
    error NotRecorded(bytes32 id);
    error ZeroAmount();

    mapping(bytes32 id => uint256) public amountOf;
    mapping(bytes32 id => address) public recorderOf;

    function record(bytes32 id, uint256 amount) external {
        require(amount != 0, ZeroAmount());
        require(amountOf[id] == 0, AlreadyRecorded(id));
        amountOf[id] = amount;
        recorderOf[id] = msg.sender;
        emit Recorded(id, amount, msg.sender);
    }

    function erase(bytes32 id) external {
        require(amountOf[id] != 0, NotRecorded(id));
        delete amountOf[id];
        delete recorderOf[id];
        emit Erased(id, msg.sender);
    }
}
