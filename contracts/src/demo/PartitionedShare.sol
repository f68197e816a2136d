// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DocumentShelf} from "./DocumentShelf.sol";
import {PartitionLedger} from "./PartitionLedger.sol";
import {PartitionOperators} from "./PartitionOperators.sol";
import {IPartitionedShare} from "./interfaces/IPartitionedShare.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title PartitionedShare
/// @notice The ERC-1400 style share of the demo. Its owner is the issuer.
contract PartitionedShare is PartitionLedger, PartitionOperators, DocumentShelf {
    /* CONSTANTS AND IMMUTABLES */

    // ERC-1066 status codes of the group "funds".
    bytes1 private constant TRANSFER_SUCCESS = 0x51;
    bytes1 private constant INSUFFICIENT_BALANCE = 0x52;
    bytes1 private constant INSUFFICIENT_ALLOWANCE = 0x53;
    bytes1 private constant INVALID_RECEIVER = 0x57;
    bytes1 private constant TRANSFER_FAILURE = 0x50;

    uint8 private immutable _decimals;

    /* STORAGE */

    /// @inheritdoc IPartitionedShare
    bool public isIssuable = true;
    /// @inheritdoc IPartitionedShare
    bool public isControllable = true;
    /// @inheritdoc IPartitionedShare
    mapping(address account => bool) public isController;

    modifier onlyController() {
        _checkController();
        _;
    }

    /* CONSTRUCTOR */

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 granularity_, address owner_)
        ERC20(name_, symbol_)
        PartitionLedger(granularity_)
        Ownable(owner_)
    {
        _decimals = decimals_;
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function transferByPartition(bytes32 partition, address to, uint256 value, bytes calldata data)
        external
        returns (bytes32)
    {
        _move(partition, msg.sender, to, value);
        emit TransferByPartition(partition, msg.sender, msg.sender, to, value, data, "");
        return partition;
    }

    /// @inheritdoc IPartitionedShare
    function redeemByPartition(bytes32 partition, uint256 value, bytes calldata data) external {
        _redeem(partition, msg.sender, value);
        emit RedeemedByPartition(partition, msg.sender, msg.sender, value, data, "");
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function operatorTransferByPartition(
        bytes32 partition,
        address from,
        address to,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external onlyOperator(partition, from) returns (bytes32) {
        _move(partition, from, to, value);
        emit TransferByPartition(partition, msg.sender, from, to, value, data, operatorData);
        return partition;
    }

    /// @inheritdoc IPartitionedShare
    function operatorRedeemByPartition(
        bytes32 partition,
        address tokenHolder,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external onlyOperator(partition, tokenHolder) {
        _redeem(partition, tokenHolder, value);
        emit RedeemedByPartition(partition, msg.sender, tokenHolder, value, data, operatorData);
    }

    /* CONTROLLER FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function controllerTransfer(
        address from,
        address to,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external onlyController {
        _transfer(from, to, value);
        emit ControllerTransfer(msg.sender, from, to, value, data, operatorData);
    }

    /// @inheritdoc IPartitionedShare
    function controllerRedeem(address tokenHolder, uint256 value, bytes calldata data, bytes calldata operatorData)
        external
        onlyController
    {
        (bytes32[] memory partitions, uint256[] memory values) = _redeemAny(tokenHolder, value);
        for (uint256 i = 0; i < partitions.length; ++i) {
            emit RedeemedByPartition(partitions[i], msg.sender, tokenHolder, values[i], data, operatorData);
        }
        emit ControllerRedemption(msg.sender, tokenHolder, value, data, operatorData);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function issueByPartition(bytes32 partition, address tokenHolder, uint256 value, bytes calldata data)
        external
        onlyOwner
    {
        require(isIssuable, IssuanceIsClosed());
        _issue(partition, tokenHolder, value);
        emit IssuedByPartition(partition, msg.sender, tokenHolder, value, data, "");
    }

    /// @inheritdoc IPartitionedShare
    function setController(address controller, bool allowed) external onlyOwner {
        isController[controller] = allowed;
        emit ControllerSet(controller, allowed);
    }

    /// @inheritdoc IPartitionedShare
    function closeIssuance() external onlyOwner {
        isIssuable = false;
        emit IssuanceClosed();
    }

    /// @inheritdoc IPartitionedShare
    function renounceControl() external onlyOwner {
        isControllable = false;
        emit ControlRenounced();
    }

    /* INTERNAL */

    function _checkController() internal view {
        require(isControllable, NotControllable());
        require(isController[msg.sender], NotController(msg.sender));
    }

    /* VIEWS */

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @inheritdoc IPartitionedShare
    function canTransfer(address to, uint256 value, bytes calldata) external view returns (bytes1, bytes32) {
        return _judge(to, value, balanceOf(msg.sender));
    }

    /// @inheritdoc IPartitionedShare
    function canTransferFrom(address from, address to, uint256 value, bytes calldata)
        external
        view
        returns (bytes1, bytes32)
    {
        if (value > allowance(from, msg.sender)) return (INSUFFICIENT_ALLOWANCE, "INSUFFICIENT_ALLOWANCE");
        return _judge(to, value, balanceOf(from));
    }

    /// @inheritdoc IPartitionedShare
    function canTransferByPartition(address from, address to, bytes32 partition, uint256 value, bytes calldata)
        external
        view
        returns (bytes1 status, bytes32 reason, bytes32 toPartition)
    {
        (status, reason) = _judge(to, value, balanceOfByPartition[partition][from]);
        if (status == TRANSFER_SUCCESS) toPartition = partition;
    }

    function _judge(address to, uint256 value, uint256 available) internal view returns (bytes1, bytes32) {
        if (to == address(0)) return (INVALID_RECEIVER, "INVALID_RECEIVER");
        if (value % granularity != 0) return (TRANSFER_FAILURE, "NOT_MULTIPLE_OF_GRANULARITY");
        if (value > available) return (INSUFFICIENT_BALANCE, "INSUFFICIENT_BALANCE");
        return (TRANSFER_SUCCESS, "SUCCESS");
    }
}
