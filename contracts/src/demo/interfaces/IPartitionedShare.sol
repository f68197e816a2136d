// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice A share whose units carry a partition (class, lock-up, tranche), after ERC-1400 and its parts ERC-1410,
/// ERC-1594, ERC-1643 and ERC-1644. The ERC-20 functions draw on a holder's partitions in the order of `partitionsOf`,
/// and the units keep their partition.
interface IPartitionedShare is IERC20 {
    /* EVENTS */

    event TransferByPartition(
        bytes32 indexed fromPartition,
        address operator,
        address indexed from,
        address indexed to,
        uint256 value,
        bytes data,
        bytes operatorData
    );
    event IssuedByPartition(
        bytes32 indexed partition,
        address indexed operator,
        address indexed to,
        uint256 amount,
        bytes data,
        bytes operatorData
    );
    event RedeemedByPartition(
        bytes32 indexed partition,
        address indexed operator,
        address indexed from,
        uint256 amount,
        bytes data,
        bytes operatorData
    );
    event AuthorizedOperator(address indexed operator, address indexed tokenHolder);
    event RevokedOperator(address indexed operator, address indexed tokenHolder);
    event AuthorizedOperatorByPartition(
        bytes32 indexed partition, address indexed operator, address indexed tokenHolder
    );
    event RevokedOperatorByPartition(bytes32 indexed partition, address indexed operator, address indexed tokenHolder);
    event ControllerTransfer(
        address controller, address indexed from, address indexed to, uint256 value, bytes data, bytes operatorData
    );
    event ControllerRedemption(
        address controller, address indexed tokenHolder, uint256 value, bytes data, bytes operatorData
    );
    event DocumentUpdated(bytes32 indexed name, string uri, bytes32 documentHash);
    event DocumentRemoved(bytes32 indexed name, string uri, bytes32 documentHash);
    event ControllerSet(address indexed controller, bool allowed);
    event IssuanceClosed();
    event ControlRenounced();

    /* ERRORS */

    error IssuanceIsClosed();
    error NotControllable();
    error NotController(address account);
    error NotOperator(bytes32 partition, address operator, address tokenHolder);
    error NotMultipleOfGranularity(uint256 value, uint256 granularity);
    error GranularityIsZero();
    error PartitionBalanceTooLow(bytes32 partition, address tokenHolder, uint256 balance, uint256 needed);
    error OperatorIsHolder(address account);
    error DocumentNotFound(bytes32 name);

    /* HOLDER FUNCTIONS */

    /// @return The recipient's partition, always the same as the sender's here.
    function transferByPartition(bytes32 partition, address to, uint256 value, bytes calldata data)
        external
        returns (bytes32);

    function redeemByPartition(bytes32 partition, uint256 value, bytes calldata data) external;

    /// @notice Lets an operator move every partition of the caller.
    function authorizeOperator(address operator) external;

    function revokeOperator(address operator) external;

    function authorizeOperatorByPartition(bytes32 partition, address operator) external;

    function revokeOperatorByPartition(bytes32 partition, address operator) external;

    /* OPERATOR FUNCTIONS */

    function operatorTransferByPartition(
        bytes32 partition,
        address from,
        address to,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external returns (bytes32);

    function operatorRedeemByPartition(
        bytes32 partition,
        address tokenHolder,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external;

    /* CONTROLLER FUNCTIONS */

    /// @notice Moves shares without the holder's consent, while `isControllable`.
    function controllerTransfer(
        address from,
        address to,
        uint256 value,
        bytes calldata data,
        bytes calldata operatorData
    ) external;

    function controllerRedeem(address tokenHolder, uint256 value, bytes calldata data, bytes calldata operatorData)
        external;

    /* OWNER FUNCTIONS */

    function issueByPartition(bytes32 partition, address tokenHolder, uint256 value, bytes calldata data) external;

    function setController(address controller, bool allowed) external;

    /// @notice Forever.
    function closeIssuance() external;

    /// @notice Forever.
    function renounceControl() external;

    function setDocument(bytes32 name, string calldata uri, bytes32 documentHash) external;

    function removeDocument(bytes32 name) external;

    /* VIEWS */

    function balanceOfByPartition(bytes32 partition, address tokenHolder) external view returns (uint256);

    function partitionsOf(address tokenHolder) external view returns (bytes32[] memory);

    function totalSupplyByPartition(bytes32 partition) external view returns (uint256);

    function isOperator(address operator, address tokenHolder) external view returns (bool);

    function isOperatorForPartition(bytes32 partition, address operator, address tokenHolder)
        external
        view
        returns (bool);

    function isController(address account) external view returns (bool);

    function isControllable() external view returns (bool);

    function isIssuable() external view returns (bool);

    /// @notice Every amount is a multiple of this many units.
    function granularity() external view returns (uint256);

    /// @return uri Where the document is.
    /// @return documentHash Of its content.
    /// @return lastModified Seconds since 1970; 0 when there is no such document.
    function getDocument(bytes32 name)
        external
        view
        returns (string memory uri, bytes32 documentHash, uint256 lastModified);

    function getAllDocuments() external view returns (bytes32[] memory);

    /// @notice Whether `transfer` by the caller would pass: an ERC-1066 status code and the reason's name as ASCII.
    function canTransfer(address to, uint256 value, bytes calldata data) external view returns (bytes1, bytes32);

    function canTransferFrom(address from, address to, uint256 value, bytes calldata data)
        external
        view
        returns (bytes1, bytes32);

    /// @return status ERC-1066 status code.
    /// @return reason The reason's name as ASCII.
    /// @return toPartition Where the shares would arrive; zero when they would not.
    function canTransferByPartition(address from, address to, bytes32 partition, uint256 value, bytes calldata data)
        external
        view
        returns (bytes1 status, bytes32 reason, bytes32 toPartition);
}
