// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SignedOrders} from "./base/SignedOrders.sol";
import {VaultAccess} from "./base/VaultAccess.sol";
import {ISignedOrders} from "./interfaces/ISignedOrders.sol";
import {ITradingVault} from "./interfaces/ITradingVault.sol";
import {IVaultAccess} from "./interfaces/IVaultAccess.sol";
import {Fill, Trade, TransferRules} from "./interfaces/TradingTypes.sol";
import {SaltLib} from "./libraries/SaltLib.sol";
import {SignatureLib} from "./libraries/SignatureLib.sol";
import {Account, TokenBook} from "./libraries/VaultTypes.sol";
import {VaultModule} from "./modules/VaultModule.sol";

/// @title TradingVault
contract TradingVault is ITradingVault, SignedOrders, VaultAccess {
    /* CONSTANTS */

    bytes32 public constant RELEASE_TYPEHASH =
        keccak256("Release(address user,address token,uint256 amount,uint64 expiry,bytes32 salt)");
    uint256 public constant WITHDRAWAL_DELAY = 1 days;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.TradingVault")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant VAULT_SLOT = 0x9a38b50227e36d8171b01d3ebdef9ac23a5167a204f4c06c3755a6786786c000;

    /* STORAGE */

    /// @custom:storage-location erc7201:tallystick.storage.TradingVault
    struct VaultStorage {
        address feeRecipient;
        mapping(address token => TokenBook) books;
        mapping(address user => bool) autoCommits;
        mapping(bytes32 releaseHash => bool) isReleaseUsed;
    }

    /* CONSTRUCTOR */

    constructor() SignedOrders("TradingVault") {
        _disableInitializers();
    }

    /// @inheritdoc ITradingVault
    function initialize(address admin_, address operator, address feeRecipient_) external initializer {
        _initAccess(admin_, operator);
        _setFeeRecipient(feeRecipient_);
    }

    /* USER FUNCTIONS */

    /// @inheritdoc ITradingVault
    function deposit(address token, uint256 amount) external nonReentrant {
        VaultModule.deposit(_book(token), token, amount, false);
    }

    /// @inheritdoc ITradingVault
    function depositAndCommit(address token, uint256 amount) external nonReentrant {
        VaultModule.deposit(_book(token), token, amount, true);
    }

    /// @inheritdoc ITradingVault
    function commit(address token, uint256 amount) external nonReentrant {
        VaultModule.commit(_book(token), token, amount);
    }

    /// @inheritdoc ITradingVault
    function requestWithdrawal(address token, uint256 amount) external nonReentrant {
        VaultModule.request(_book(token), token, amount, WITHDRAWAL_DELAY);
    }

    /// @inheritdoc ITradingVault
    function cancelWithdrawalRequest(address token) external nonReentrant {
        VaultModule.cancelRequest(_book(token), token);
    }

    /// @inheritdoc ITradingVault
    function withdraw(address token, uint256 amount) external nonReentrant {
        _checkWithdrawalsOpen();
        _checkNotFrozen(msg.sender);
        VaultModule.withdraw(_book(token), token, amount);
    }

    /// @inheritdoc ITradingVault
    function setAutoCommit(bool isOn) external {
        _vaultStorage().autoCommits[msg.sender] = isOn;
        emit AutoCommitSet(msg.sender, isOn);
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc ITradingVault
    function release(address user, address token, uint256 amount) external onlyOperator nonReentrant {
        VaultModule.release(_book(token), user, token, amount, msg.sender);
    }

    /// @inheritdoc ITradingVault
    function settle(Fill calldata fill) external onlyOperator nonReentrant {
        _settle(fill, msg.sender);
    }

    /// @inheritdoc ITradingVault
    function batchSettle(bytes32 batchRef, Fill[] calldata fills, uint256 minProcessed)
        external
        onlyOperator
        nonReentrant
        returns (uint256 settled, uint256 processed)
    {
        return _settleEach(batchRef, fills, minProcessed);
    }

    /* ANYONE */

    /// @inheritdoc ITradingVault
    function releaseWithSignature(
        address user,
        address token,
        uint256 amount,
        uint64 expiry,
        bytes32 salt,
        address operator,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 releaseHash = hashRelease(user, token, amount, expiry, salt);
        require(block.timestamp <= expiry, ReleaseExpired(expiry));
        require(!_vaultStorage().isReleaseUsed[releaseHash], ReleaseAlreadyUsed(releaseHash));
        require(
            isOperator(operator) && SignatureLib.isValid(operator, releaseHash, signature),
            BadRelease(operator, releaseHash)
        );
        _vaultStorage().isReleaseUsed[releaseHash] = true;
        VaultModule.release(_book(token), user, token, amount, operator);
    }

    /// @inheritdoc ITradingVault
    function syncSplit(address token) external nonReentrant {
        VaultModule.sync(_book(token), token, true);
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc ITradingVault
    function addToken(address token, TransferRules rules, bool splits) external onlyAdmin {
        uint8 decimals = VaultModule.add(_vaultStorage().books[token], token, rules, splits);
        emit TokenAdded(token, rules, splits, decimals);
    }

    /// @inheritdoc ITradingVault
    function removeToken(address token) external onlyAdmin {
        _supported(token).isSupported = false;
        emit TokenRemoved(token);
    }

    /// @inheritdoc ITradingVault
    function setFeeRecipient(address newFeeRecipient) external onlyAdmin {
        _setFeeRecipient(newFeeRecipient);
    }

    /* INTERNAL */

    function _settle(Fill calldata fill, address) internal override {
        require(!isSettlementPaused(), SettlementIsPaused());
        TokenBook storage base = _supported(fill.maker.token);
        TokenBook storage quote = _supported(fill.maker.quote);
        bytes16 prefix = SaltLib.join(_syncedLeg(base, fill.maker.token), _syncedLeg(quote, fill.maker.quote));
        Trade memory trade = _bookFill(fill, 10 ** base.decimals, prefix);
        _checkNotFrozen(trade.seller);
        _checkNotFrozen(trade.buyer);
        VaultModule.exchange(base, quote, _vaultStorage().autoCommits, _vaultStorage().feeRecipient, trade);
        _emitSettled(fill, trade);
    }

    function _setFeeRecipient(address newFeeRecipient) private {
        require(newFeeRecipient != address(0), AddressIsZero());
        _vaultStorage().feeRecipient = newFeeRecipient;
        emit FeeRecipientSet(newFeeRecipient);
    }

    /// @dev Version 1 wrote down the reference itself.
    function _wasUsedBefore(address token, bytes32 tradeRef) internal view override returns (bool) {
        return isSettled(token, tradeRef);
    }

    /// @dev How the token's part of a salt begins, after its splits were followed.
    function _syncedLeg(TokenBook storage book, address token) private returns (bytes8) {
        return book.follows ? VaultModule.syncedLeg(book, token) : bytes8(0);
    }

    function _book(address token) private view returns (TokenBook storage) {
        return _vaultStorage().books[token];
    }

    function _supported(address token) private view returns (TokenBook storage book) {
        book = _book(token);
        require(book.isSupported, TokenNotSupported(token));
    }

    function _vaultStorage() private pure returns (VaultStorage storage s) {
        assembly ("memory-safe") {
            s.slot := VAULT_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc ITradingVault
    function accountOf(address user, address token) external view returns (AccountView memory) {
        Account memory account = VaultModule.accountOf(_book(token), user);
        return AccountView(account.free, account.committed, account.requested, account.readyAt);
    }

    /// @inheritdoc ITradingVault
    function isAutoCommitOn(address user) external view returns (bool) {
        return _vaultStorage().autoCommits[user];
    }

    /// @inheritdoc ITradingVault
    function tokenInfo(address token)
        external
        view
        returns (bool isSupported, TransferRules rules, bool splits, uint8 decimals)
    {
        TokenBook storage book = _book(token);
        return (book.isSupported, book.rules, book.follows, book.decimals);
    }

    /// @inheritdoc ITradingVault
    function bookedOf(address token) external view returns (uint256) {
        return _book(token).booked;
    }

    /// @inheritdoc ITradingVault
    function feeRecipient() external view returns (address) {
        return _vaultStorage().feeRecipient;
    }

    /// @inheritdoc ITradingVault
    function isReleaseUsed(bytes32 releaseHash) external view returns (bool) {
        return _vaultStorage().isReleaseUsed[releaseHash];
    }

    /// @inheritdoc ITradingVault
    function hashRelease(address user, address token, uint256 amount, uint64 expiry, bytes32 salt)
        public
        view
        returns (bytes32)
    {
        return _hashTypedDataV4(keccak256(abi.encode(RELEASE_TYPEHASH, user, token, amount, expiry, salt)));
    }

    function saltPrefix(address token, address quote)
        public
        view
        override(ISignedOrders, SignedOrders)
        returns (bytes16)
    {
        return SaltLib.join(VaultModule.legOf(_book(token), token), VaultModule.legOf(_book(quote), quote));
    }

    function version() public pure virtual override(IVaultAccess, VaultAccess) returns (uint256) {
        return 2;
    }
}
