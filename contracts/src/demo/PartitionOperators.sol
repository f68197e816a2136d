// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPartitionedShare} from "./interfaces/IPartitionedShare.sol";

/// @title PartitionOperators
/// @notice Who may move a holder's partitions beside the holder.
abstract contract PartitionOperators is IPartitionedShare {
    /* STORAGE */

    /// @inheritdoc IPartitionedShare
    mapping(address operator => mapping(address tokenHolder => bool)) public isOperator;
    mapping(bytes32 partition => mapping(address operator => mapping(address tokenHolder => bool))) private
        _isAuthorized;

    modifier onlyOperator(bytes32 partition, address tokenHolder) {
        _checkOperator(partition, tokenHolder);
        _;
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function authorizeOperator(address operator) external {
        require(operator != msg.sender, OperatorIsHolder(operator));
        isOperator[operator][msg.sender] = true;
        emit AuthorizedOperator(operator, msg.sender);
    }

    /// @inheritdoc IPartitionedShare
    function revokeOperator(address operator) external {
        isOperator[operator][msg.sender] = false;
        emit RevokedOperator(operator, msg.sender);
    }

    /// @inheritdoc IPartitionedShare
    function authorizeOperatorByPartition(bytes32 partition, address operator) external {
        require(operator != msg.sender, OperatorIsHolder(operator));
        _isAuthorized[partition][operator][msg.sender] = true;
        emit AuthorizedOperatorByPartition(partition, operator, msg.sender);
    }

    /// @inheritdoc IPartitionedShare
    function revokeOperatorByPartition(bytes32 partition, address operator) external {
        _isAuthorized[partition][operator][msg.sender] = false;
        emit RevokedOperatorByPartition(partition, operator, msg.sender);
    }

    /* INTERNAL */

    function _checkOperator(bytes32 partition, address tokenHolder) internal view {
        require(
            isOperator[msg.sender][tokenHolder] || isOperatorForPartition(partition, msg.sender, tokenHolder),
            NotOperator(partition, msg.sender, tokenHolder)
        );
    }

    /* VIEWS */

    /// @inheritdoc IPartitionedShare
    function isOperatorForPartition(bytes32 partition, address operator, address tokenHolder)
        public
        view
        returns (bool)
    {
        return _isAuthorized[partition][operator][tokenHolder];
    }
}
