// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../lending/libraries/CastLib.sol";
import {ExactTransferLib} from "../lending/libraries/ExactTransferLib.sol";
import {SignedOrders} from "./base/SignedOrders.sol";
import {VaultAccess} from "./base/VaultAccess.sol";
import {ISignedOrders} from "./interfaces/ISignedOrders.sol";
import {ITradingVault} from "./interfaces/ITradingVault.sol";
import {IVaultAccess} from "./interfaces/IVaultAccess.sol";
import {Fill, Trade, TransferRules} from "./interfaces/TradingTypes.sol";
import {SignatureLib} from "./libraries/SignatureLib.sol";
import {SplitLib} from "./libraries/SplitLib.sol";
import {VaultBooks} from "./libraries/VaultBooks.sol";
import {Account, TokenBook} from "./libraries/VaultTypes.sol";
import {VaultModule} from "./modules/VaultModule.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TradingVault
contract TradingVault is ITradingVault, SignedOrders, VaultAccess {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;
    using VaultBooks for TokenBook;

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
        _deposit(token, amount);
    }

    /// @inheritdoc ITradingVault
    function depositAndCommit(address token, uint256 amount) external nonReentrant {
        _deposit(token, amount);
        _commit(_book(token), token, amount);
    }

    /// @inheritdoc ITradingVault
    function commit(address token, uint256 amount) external nonReentrant {
        TokenBook storage book = _supported(token);
        _sync(book, token, true);
        _commit(book, token, amount);
    }

    /// @inheritdoc ITradingVault
    function requestWithdrawal(address token, uint256 amount) external nonReentrant {
        TokenBook storage book = _book(token);
        _sync(book, token, false);
        VaultModule.request(book, token, _amount(amount), WITHDRAWAL_DELAY);
    }

    /// @inheritdoc ITradingVault
    function cancelWithdrawalRequest(address token) external nonReentrant {
        VaultModule.cancelRequest(_book(token), token);
    }

    /// @inheritdoc ITradingVault
    function withdraw(address token, uint256 amount) external nonReentrant {
        _checkWithdrawalsOpen();
        _checkNotFrozen(msg.sender);
        uint128 exact = _amount(amount);
        TokenBook storage book = _book(token);
        _sync(book, token, false);
        Account memory account = book.load(msg.sender);
        require(amount <= account.free, FreeBalanceTooLow(msg.sender, token, account.free, amount));
        account.free -= exact;
        book.store(msg.sender, account);
        book.booked -= exact;
        uint256 received = IERC20(token).pushCounted(msg.sender, amount);
        emit Withdrawn(msg.sender, token, amount, received);
    }

    /// @inheritdoc ITradingVault
    function setAutoCommit(bool isOn) external {
        _vaultStorage().autoCommits[msg.sender] = isOn;
        emit AutoCommitSet(msg.sender, isOn);
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc ITradingVault
    function release(address user, address token, uint256 amount) external onlyOperator nonReentrant {
        _release(user, token, amount, msg.sender);
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
        _release(user, token, amount, operator);
    }

    /// @inheritdoc ITradingVault
    function syncSplit(address token) external nonReentrant {
        _sync(_book(token), token, true);
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
        _sync(base, fill.maker.token, true);
        _sync(quote, fill.maker.quote, true);
        Trade memory trade = _bookFill(fill, 10 ** base.decimals, SplitLib.prefixOf(base.ratio));
        _checkNotFrozen(trade.seller);
        _checkNotFrozen(trade.buyer);
        VaultModule.exchange(base, quote, _vaultStorage().autoCommits, _vaultStorage().feeRecipient, trade);
        _emitSettled(fill, trade);
    }

    function _deposit(address token, uint256 amount) private {
        uint128 exact = _amount(amount);
        TokenBook storage book = _supported(token);
        _sync(book, token, true);
        Account memory account = book.load(msg.sender);
        account.free += exact;
        book.store(msg.sender, account);
        book.booked += exact;
        emit Deposited(msg.sender, token, amount);
        IERC20(token).pullExact(msg.sender, amount);
    }

    function _commit(TokenBook storage book, address token, uint256 amount) private {
        uint128 exact = _amount(amount);
        Account memory account = book.load(msg.sender);
        require(exact <= account.free, FreeBalanceTooLow(msg.sender, token, account.free, exact));
        account.free -= exact;
        account.committed += exact;
        book.store(msg.sender, account);
        emit Committed(msg.sender, token, amount);
    }

    function _release(address user, address token, uint256 amount, address operator) private {
        TokenBook storage book = _book(token);
        _sync(book, token, false);
        VaultModule.release(book, user, token, _amount(amount), operator);
    }

    function _amount(uint256 amount) private pure returns (uint128) {
        require(amount != 0, ZeroAmount());
        return amount.u128();
    }

    function _setFeeRecipient(address newFeeRecipient) private {
        require(newFeeRecipient != address(0), AddressIsZero());
        _vaultStorage().feeRecipient = newFeeRecipient;
        emit FeeRecipientSet(newFeeRecipient);
    }

    function _sync(TokenBook storage book, address token, bool mustKnow) private {
        if (book.follows) VaultModule.sync(book, token, mustKnow);
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
        Account memory account = _book(token).load(user);
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

    /// @dev Of the splits that the vault knows of; one that it has not seen yet kills older orders all the same.
    function saltPrefix(address token) public view override(ISignedOrders, SignedOrders) returns (bytes4) {
        TokenBook storage book = _book(token);
        return book.follows ? VaultModule.prefixOf(book, token) : bytes4(0);
    }

    function version() public pure virtual override(IVaultAccess, VaultAccess) returns (uint256) {
        return 2;
    }
}
