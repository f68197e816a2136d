// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {IImplementationVersioned} from "./base/interfaces/IImplementationVersioned.sol";
import {IComplianceModule, ITransferCompliance} from "./interfaces/IComplianceModule.sol";
import {IStockToken} from "./interfaces/IStockToken.sol";

/// @title ComplianceModule
/// @notice Holding limits and lockups of one stock token.
contract ComplianceModule is IComplianceModule, ITransferCompliance, ServedUpgrade, IImplementationVersioned {
    struct Limits {
        uint96 max;
        uint96 min;
        /// @dev Of an account only.
        uint64 lockedUntil;
    }

    /// @custom:storage-location erc7201:tallystick.storage.ComplianceModule
    struct ModuleStorage {
        address token;
        Limits defaults;
        mapping(address account => Limits) limits;
    }

    /* CONSTANTS */

    bytes32 public constant KIND = "complianceModule";
    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.ComplianceModule")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant MODULE_SLOT = 0x52234b9ce42570094c71158ad36c9dfe421ffbaf64f1b69598898c41dd413a00;

    modifier onlyToken() {
        require(msg.sender == _moduleStorage().token, NotToken(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address factory_) ServedUpgrade(factory_) {}

    /// @inheritdoc IComplianceModule
    function initialize(address token_, uint256 maxHolding, uint256 minHolding) external initializer {
        _moduleStorage().token = token_;
        _setDefaultLimits(maxHolding, minHolding);
    }

    /* TOKEN FUNCTIONS */

    /// @inheritdoc IComplianceModule
    function setDefaultLimits(uint256 maxHolding, uint256 minHolding) external onlyToken {
        _setDefaultLimits(maxHolding, minHolding);
    }

    /// @inheritdoc IComplianceModule
    function setUserLimits(address account, uint256 maxHolding, uint256 minHolding) external onlyToken {
        Limits storage own = _moduleStorage().limits[account];
        (own.max, own.min) = (_atMost96Bits(maxHolding), _atMost96Bits(minHolding));
        (uint256 max, uint256 min) = getUserLimits(account);
        require(max == 0 || min <= max, LimitsCrossed(max, min));
        emit UserLimitsSet(account, maxHolding, minHolding);
    }

    /// @inheritdoc IComplianceModule
    function setLockup(address account, uint64 until) external onlyToken {
        require(until == 0 || until > block.timestamp, LockupInThePast(until));
        _moduleStorage().limits[account].lockedUntil = until;
        emit LockupSet(account, until);
    }

    /// @inheritdoc IComplianceModule
    function moveUser(address lostWallet, address newWallet) external onlyToken {
        ModuleStorage storage s = _moduleStorage();
        Limits memory moved = s.limits[lostWallet];
        Limits memory present = s.limits[newWallet];
        s.limits[newWallet] = Limits({
            max: moved.max == 0 ? present.max : moved.max,
            min: moved.min == 0 ? present.min : moved.min,
            lockedUntil: moved.lockedUntil > present.lockedUntil ? moved.lockedUntil : present.lockedUntil
        });
        emit UserMoved(lostWallet, newWallet);
    }

    /* INTERNAL */

    /// @dev The token's legal operator says whether, the factory which.
    function _authorizeUpgrade(address newImplementation) internal view override {
        require(IStockToken(_moduleStorage().token).isLegalOperator(msg.sender), NotLegalOperator(msg.sender));
        _checkServed(KIND, implementationVersion(), IImplementationVersioned(newImplementation).implementationVersion);
    }

    function _setDefaultLimits(uint256 maxHolding, uint256 minHolding) private {
        require(maxHolding == 0 || minHolding <= maxHolding, LimitsCrossed(maxHolding, minHolding));
        Limits storage defaults = _moduleStorage().defaults;
        (defaults.max, defaults.min) = (_atMost96Bits(maxHolding), _atMost96Bits(minHolding));
        emit DefaultLimitsSet(maxHolding, minHolding);
    }

    function _atMost96Bits(uint256 amount) private pure returns (uint96) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return amount > type(uint96).max ? type(uint96).max : uint96(amount);
    }

    function _isPool(address account) private view returns (bool) {
        return IStockToken(_moduleStorage().token).isAuthorizedContract(account);
    }

    function _moduleStorage() private pure returns (ModuleStorage storage s) {
        assembly ("memory-safe") {
            s.slot := MODULE_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IComplianceModule
    function canTransfer(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        public
        view
        returns (bool isAllowed, ComplianceRejectionReason reason)
    {
        Limits memory defaults = _moduleStorage().defaults;
        if (from != address(0)) {
            Limits memory sender = _moduleStorage().limits[from];
            if (block.timestamp < sender.lockedUntil) return (false, ComplianceRejectionReason.SENDER_LOCKED);
            if (from == to) return (true, ComplianceRejectionReason.NONE);
            uint256 min = sender.min == 0 ? defaults.min : sender.min;
            // Who leaves altogether may. What is left in a pool is many holders', and nobody's holding.
            if (amount < fromBalance && fromBalance - amount < min && (sender.min != 0 || !_isPool(from))) {
                return (false, ComplianceRejectionReason.BELOW_MIN_HOLDING);
            }
        }
        if (to == address(0)) return (true, ComplianceRejectionReason.NONE);
        Limits memory receiver = _moduleStorage().limits[to];
        uint256 max = receiver.max == 0 ? defaults.max : receiver.max;
        if (max != 0 && toBalance + amount > max) {
            return (false, ComplianceRejectionReason.RECIPIENT_EXCEEDS_MAX);
        }
        return (true, ComplianceRejectionReason.NONE);
    }

    /// @inheritdoc ITransferCompliance
    function canTransfer(address from, address to, uint256 amount) external view returns (bool isAllowed) {
        IStockToken stock = IStockToken(_moduleStorage().token);
        (isAllowed,) = canTransfer(from, to, amount, stock.balanceOf(from), stock.balanceOf(to));
    }

    /// @inheritdoc IComplianceModule
    function token() external view returns (address) {
        return _moduleStorage().token;
    }

    /// @inheritdoc IComplianceModule
    function defaultLimits() external view returns (uint256 maxHolding, uint256 minHolding) {
        Limits memory defaults = _moduleStorage().defaults;
        return (defaults.max, defaults.min);
    }

    /// @inheritdoc IComplianceModule
    function getUserLimits(address account) public view returns (uint256 maxHolding, uint256 minHolding) {
        Limits memory own = _moduleStorage().limits[account];
        Limits memory defaults = _moduleStorage().defaults;
        maxHolding = own.max == 0 ? defaults.max : own.max;
        minHolding = own.min == 0 ? defaults.min : own.min;
        if (own.min == 0 && minHolding != 0 && _isPool(account)) minHolding = 0;
    }

    /// @inheritdoc IComplianceModule
    function ownLimits(address account) external view returns (uint256 maxHolding, uint256 minHolding) {
        Limits memory own = _moduleStorage().limits[account];
        return (own.max, own.min);
    }

    /// @inheritdoc IComplianceModule
    function lockedUntil(address account) external view returns (uint64) {
        return _moduleStorage().limits[account].lockedUntil;
    }

    /// @inheritdoc IImplementationVersioned
    function implementationVersion() public pure virtual returns (uint256) {
        return 2;
    }
}
