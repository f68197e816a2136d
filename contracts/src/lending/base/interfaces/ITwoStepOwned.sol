// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Ownership that moves in two steps, with one exception: the market that was born with it hands it over once.
interface ITwoStepOwned {
    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    error OwnableUnauthorizedAccount(address account);
    error OwnableInvalidOwner(address owner);
    error AlreadyHandedOver();

    /// @notice Nominates the next owner, who has to accept. Only the owner.
    function transferOwnership(address newOwner) external;

    /// @notice Completes a transfer. Only the nominee.
    function acceptOwnership() external;

    /// @notice Gives the contract to its first owner of flesh and blood, in one step. Only the market it belongs to, once.
    function handOver(address newOwner) external;

    function owner() external view returns (address);

    function pendingOwner() external view returns (address);

    /// @notice The market this contract was created for: its owner until the handover.
    function market() external view returns (address);
}
