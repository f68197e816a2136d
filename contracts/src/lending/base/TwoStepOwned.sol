// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITwoStepOwned} from "./interfaces/ITwoStepOwned.sol";

/// @title TwoStepOwned
abstract contract TwoStepOwned is ITwoStepOwned {
    /// @custom:storage-location erc7201:tallystick.storage.TwoStepOwned
    struct OwnedStorage {
        address owner;
        address pendingOwner;
        address market;
    }

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.TwoStepOwned")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant OWNED_SLOT = 0x2998d6b1167cbba404e2f87800bfc737fe71ee4cdbb406474f8002b02582b100;

    modifier onlyOwner() {
        _checkOwner();
        _;
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc ITwoStepOwned
    function transferOwnership(address newOwner) external onlyOwner {
        OwnedStorage storage s = _ownedStorage();
        s.pendingOwner = newOwner;
        emit OwnershipTransferStarted(s.owner, newOwner);
    }

    /// @inheritdoc ITwoStepOwned
    function acceptOwnership() external {
        require(msg.sender == _ownedStorage().pendingOwner, OwnableUnauthorizedAccount(msg.sender));
        _setOwner(msg.sender);
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc ITwoStepOwned
    function handOver(address newOwner) external {
        OwnedStorage storage s = _ownedStorage();
        require(msg.sender == s.market, OwnableUnauthorizedAccount(msg.sender));
        require(s.owner == s.market, AlreadyHandedOver());
        require(newOwner != address(0) && newOwner != s.market, OwnableInvalidOwner(newOwner));
        _setOwner(newOwner);
    }

    /* INTERNAL */

    function _initOwned(address market_) internal {
        require(market_ != address(0), OwnableInvalidOwner(market_));
        _ownedStorage().market = market_;
        _setOwner(market_);
    }

    function _setOwner(address newOwner) private {
        OwnedStorage storage s = _ownedStorage();
        address previous = s.owner;
        delete s.pendingOwner;
        s.owner = newOwner;
        emit OwnershipTransferred(previous, newOwner);
    }

    function _checkOwner() private view {
        require(msg.sender == _ownedStorage().owner, OwnableUnauthorizedAccount(msg.sender));
    }

    function _ownedStorage() private pure returns (OwnedStorage storage s) {
        assembly ("memory-safe") {
            s.slot := OWNED_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc ITwoStepOwned
    function owner() public view returns (address) {
        return _ownedStorage().owner;
    }

    /// @inheritdoc ITwoStepOwned
    function pendingOwner() external view returns (address) {
        return _ownedStorage().pendingOwner;
    }

    /// @inheritdoc ITwoStepOwned
    function market() public view returns (address) {
        return _ownedStorage().market;
    }
}
