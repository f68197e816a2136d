// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPartitionedShare} from "./interfaces/IPartitionedShare.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title PartitionLedger
/// @notice ERC-20 balances split into partitions: a holder's balance is always the sum over `partitionsOf`.
abstract contract PartitionLedger is ERC20, IPartitionedShare {
    using EnumerableSet for EnumerableSet.Bytes32Set;

    /* IMMUTABLES */

    /// @inheritdoc IPartitionedShare
    uint256 public immutable granularity;

    /* STORAGE */

    /// @inheritdoc IPartitionedShare
    mapping(bytes32 partition => uint256) public totalSupplyByPartition;
    /// @inheritdoc IPartitionedShare
    mapping(bytes32 partition => mapping(address tokenHolder => uint256)) public balanceOfByPartition;
    /// @dev Exactly the partitions in which the holder's balance is not zero.
    mapping(address tokenHolder => EnumerableSet.Bytes32Set) private _partitionsOf;

    /* CONSTRUCTOR */

    constructor(uint256 granularity_) {
        require(granularity_ != 0, GranularityIsZero());
        granularity = granularity_;
    }

    /* INTERNAL */

    function _issue(bytes32 partition, address to, uint256 value) internal {
        require(to != address(0), ERC20InvalidReceiver(to));
        _checkGranularity(value);
        super._update(address(0), to, value);
        totalSupplyByPartition[partition] += value;
        _credit(partition, to, value);
    }

    function _redeem(bytes32 partition, address from, uint256 value) internal {
        _checkGranularity(value);
        _debit(partition, from, value);
        totalSupplyByPartition[partition] -= value;
        super._update(from, address(0), value);
    }

    function _move(bytes32 partition, address from, address to, uint256 value) internal {
        require(to != address(0), ERC20InvalidReceiver(to));
        _checkGranularity(value);
        _debit(partition, from, value);
        _credit(partition, to, value);
        super._update(from, to, value);
    }

    /// @dev Redeems across partitions, in the same order in which a plain transfer draws on them.
    function _redeemAny(address from, uint256 value)
        internal
        returns (bytes32[] memory partitions, uint256[] memory values)
    {
        uint256 balance = balanceOf(from);
        require(value <= balance, ERC20InsufficientBalance(from, balance, value));
        (partitions, values) = _draw(from, value);
        for (uint256 i = 0; i < partitions.length; ++i) {
            _redeem(partitions[i], from, values[i]);
        }
    }

    /// @dev Plain ERC-20 moves end here. Issuing and redeeming never do: they go to `super._update` with a partition.
    function _update(address from, address to, uint256 value) internal override {
        _checkGranularity(value);
        uint256 balance = balanceOf(from);
        require(value <= balance, ERC20InsufficientBalance(from, balance, value));
        (bytes32[] memory partitions, uint256[] memory values) = _draw(from, value);
        for (uint256 i = 0; i < partitions.length; ++i) {
            _debit(partitions[i], from, values[i]);
            _credit(partitions[i], to, values[i]);
            emit TransferByPartition(partitions[i], msg.sender, from, to, values[i], "", "");
        }
        super._update(from, to, value);
    }

    function _checkGranularity(uint256 value) internal view {
        require(value % granularity == 0, NotMultipleOfGranularity(value, granularity));
    }

    function _debit(bytes32 partition, address from, uint256 value) private {
        uint256 balance = balanceOfByPartition[partition][from];
        require(value <= balance, PartitionBalanceTooLow(partition, from, balance, value));
        balanceOfByPartition[partition][from] = balance - value;
        if (balance == value) _partitionsOf[from].remove(partition);
    }

    function _credit(bytes32 partition, address to, uint256 value) private {
        if (value == 0) return;
        balanceOfByPartition[partition][to] += value;
        _partitionsOf[to].add(partition);
    }

    /* VIEWS */

    /// @inheritdoc IPartitionedShare
    function partitionsOf(address tokenHolder) public view returns (bytes32[] memory) {
        return _partitionsOf[tokenHolder].values();
    }

    /// @dev Which partitions give how much when the holder names none; `value` is within the holder's balance.
    function _draw(address from, uint256 value)
        private
        view
        returns (bytes32[] memory partitions, uint256[] memory values)
    {
        bytes32[] memory held = partitionsOf(from);
        uint256 count = 0;
        uint256 missing = value;
        values = new uint256[](held.length);
        for (; missing != 0; ++count) {
            uint256 balance = balanceOfByPartition[held[count]][from];
            values[count] = balance < missing ? balance : missing;
            missing -= values[count];
        }
        partitions = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            partitions[i] = held[i];
        }
    }
}
