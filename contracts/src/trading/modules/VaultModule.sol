// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ExactTransferLib} from "../../libraries/ExactTransferLib.sol";
import {ISignedOrders} from "../interfaces/ISignedOrders.sol";
import {ITradingVault} from "../interfaces/ITradingVault.sol";
import {Trade, TransferRules} from "../interfaces/TradingTypes.sol";
import {SaltLib} from "../libraries/SaltLib.sol";
import {Ratio, SplitLib} from "../libraries/SplitLib.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {VaultRules} from "../libraries/VaultRules.sol";
import {Account, TokenBook} from "../libraries/VaultTypes.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice The books of one token: what comes in, is spent, freed and goes out. A split is written down once and reaches an
/// account when it is next used.
library VaultModule {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;

    uint256 private constant MAX_DECIMALS = 30;

    /* TOKENS */

    /// @notice Takes a token up, or up again.
    function add(TokenBook storage book, address token, TransferRules rules, bool follows)
        external
        returns (uint8 decimals)
    {
        require(!book.isSupported, ITradingVault.TokenAlreadySupported(token));
        (bool isAnswered, uint256 value) = TokenReads.getter(token, abi.encodeCall(IERC20Metadata.decimals, ()));
        require(isAnswered && value <= MAX_DECIMALS, ITradingVault.TokenUnreadable(token));
        // forge-lint: disable-next-line(unsafe-typecast)
        decimals = uint8(value);
        // What was booked under one scale cannot be read under another.
        bool isNew = book.ratio.denominator == 0;
        require(isNew || (book.decimals == decimals && book.follows == follows), ITradingVault.TokenChanged(token));
        if (isNew) {
            Ratio memory ratio;
            (isAnswered, ratio) = SplitLib.read(token);
            if (follows) require(isAnswered && !SplitLib.isUnderWay(token), ISignedOrders.SplitUnreadable(token));
            else require(!isAnswered, ITradingVault.SplitsNotFollowed(token));
            (book.decimals, book.follows, book.ratio) = (decimals, follows, follows ? ratio : Ratio(1, 1));
        }
        (book.isSupported, book.rules) = (true, rules);
    }

    /// @notice Follows the splits of a token that tells them, as far as the vault really holds what they made.
    /// @param mustKnow False: a token that tells nothing, or nothing that can be true, leaves the books as they are, so
    /// that people can leave.
    function sync(TokenBook storage book, address token, bool mustKnow) external {
        _sync(book, token, mustKnow);
    }

    /// @notice How the token's part of a salt begins, after its splits were followed. For a token that tells them.
    function syncedLeg(TokenBook storage book, address token) external returns (bytes8) {
        _sync(book, token, true);
        return _knownLeg(book);
    }

    /* USERS */

    function deposit(TokenBook storage book, address token, uint256 amount, bool commits) external {
        _requireSupported(book, token);
        uint128 exact = _amount(amount);
        _sync(book, token, true);
        Account memory account = _load(book, msg.sender);
        if (commits) account.committed += exact;
        else account.free += exact;
        book.accounts[msg.sender] = account;
        book.booked += exact;
        emit ITradingVault.Deposited(msg.sender, token, amount);
        IERC20(token).pullExact(msg.sender, amount);
        if (commits) emit ITradingVault.Committed(msg.sender, token, amount);
    }

    function commit(TokenBook storage book, address token, uint256 amount) external {
        _requireSupported(book, token);
        _sync(book, token, true);
        uint128 exact = _amount(amount);
        Account memory account = _load(book, msg.sender);
        require(exact <= account.free, ITradingVault.FreeBalanceTooLow(msg.sender, token, account.free, exact));
        account.free -= exact;
        account.committed += exact;
        book.accounts[msg.sender] = account;
        emit ITradingVault.Committed(msg.sender, token, amount);
    }

    /// @notice Starts the clock for a committed part.
    function request(TokenBook storage book, address token, uint256 amount, uint256 delay) external {
        _sync(book, token, false);
        uint128 exact = _amount(amount);
        Account memory account = _load(book, msg.sender);
        uint256 open = account.committed - account.requested;
        require(amount <= open, ITradingVault.CommittedTooLow(msg.sender, token, open, amount));
        account.requested += exact;
        account.readyAt = (block.timestamp + delay).u64();
        book.accounts[msg.sender] = account;
        emit ITradingVault.WithdrawalRequested(msg.sender, token, account.requested, account.readyAt);
    }

    function cancelRequest(TokenBook storage book, address token) external {
        Account memory account = _load(book, msg.sender);
        require(account.requested != 0, ITradingVault.NothingRequested(msg.sender, token));
        (account.requested, account.readyAt) = (0, 0);
        book.accounts[msg.sender] = account;
        emit ITradingVault.WithdrawalRequestCancelled(msg.sender, token);
    }

    function withdraw(TokenBook storage book, address token, uint256 amount) external {
        uint128 exact = _amount(amount);
        bool isKnown = _sync(book, token, false);
        Account memory account = _load(book, msg.sender);
        require(amount <= account.free, ITradingVault.FreeBalanceTooLow(msg.sender, token, account.free, amount));
        uint256 units = isKnown ? amount : _partOfHeld(book, token, amount);
        account.free -= exact;
        book.accounts[msg.sender] = account;
        book.booked -= exact;
        uint256 received = IERC20(token).pushCounted(msg.sender, units);
        emit ITradingVault.Withdrawn(msg.sender, token, amount, received);
    }

    /* OPERATORS */

    /// @notice Takes from what was asked for first: that is what the user waits for.
    function release(TokenBook storage book, address user, address token, uint256 amount, address operator) external {
        _sync(book, token, false);
        uint128 exact = _amount(amount);
        Account memory account = _load(book, user);
        require(amount <= account.committed, ITradingVault.CommittedTooLow(user, token, account.committed, amount));
        account.committed -= exact;
        account.free += exact;
        account.requested = exact < account.requested ? account.requested - exact : 0;
        book.accounts[user] = account;
        emit ITradingVault.Released(user, token, amount, operator);
    }

    /// @notice Asks the rules of both tokens about both parties, then moves both legs and the fee.
    function exchange(
        TokenBook storage base,
        TokenBook storage quote,
        mapping(address user => bool) storage autoCommits,
        address feeRecipient,
        Trade memory trade
    ) external {
        VaultRules.check(base.rules, trade.token, trade.seller, trade.buyer, trade.quantity);
        VaultRules.check(quote.rules, trade.quote, trade.buyer, trade.seller, trade.sellerGets);
        _spend(base, trade.token, trade.seller, trade.quantity);
        _credit(base, trade.buyer, trade.quantity, autoCommits[trade.buyer]);
        _spend(quote, trade.quote, trade.buyer, trade.buyerPays);
        _credit(quote, trade.seller, trade.sellerGets, autoCommits[trade.seller]);
        if (trade.feeGets != 0) _credit(quote, feeRecipient, trade.feeGets, false);
    }

    /* INTERNAL */

    function _sync(TokenBook storage book, address token, bool mustKnow) private returns (bool isKnown) {
        if (!book.follows) return true;
        (bool isAnswered, Ratio memory ratio) = SplitLib.read(token);
        Ratio memory told;
        if (isAnswered && !SplitLib.isUnderWay(token)) {
            if (SplitLib.isSame(ratio, book.ratio)) return true;
            told = SplitLib.step(book.ratio, ratio);
        }
        require(told.denominator != 0 || !mustKnow, ISignedOrders.SplitUnreadable(token));
        if (told.denominator == 0) return false;
        return _follow(book, token, ratio, told, mustKnow);
    }

    function _follow(TokenBook storage book, address token, Ratio memory ratio, Ratio memory told, bool mustKnow)
        private
        returns (bool)
    {
        uint256 booked = book.booked;
        uint256 held = IERC20(token).balanceOf(address(this));
        (uint256 newBooked, bool isTold) = SplitLib.follow(booked, held, told);
        if (!isTold) {
            // Two splits in a row rounded twice, or shares were taken from here, or there was no split: everybody bears the
            // same part of it.
            uint256 needed = SplitLib.scaleDown(booked, told);
            require(newBooked != 0 || !mustKnow, ITradingVault.SplitNotCovered(token, needed));
            if (newBooked == 0) return false;
            if (needed > held) emit ITradingVault.SplitFellShort(token, held, needed);
            told = SplitLib.reduced(newBooked.u128(), booked.u128());
        }
        book.booked = newBooked.u128();
        book.ratio = ratio;
        book.generation += 1;
        if (newBooked != booked || isTold) book.splits.push(told);
        emit ITradingVault.SplitApplied(token, told.numerator, told.denominator);
        return true;
    }

    /// @dev While nobody says what a unit of the books is, it is its part of what is held: right before the vault was
    /// converted, and after.
    function _partOfHeld(TokenBook storage book, address token, uint256 amount) private view returns (uint256 units) {
        units = Math.mulDiv(amount, IERC20(token).balanceOf(address(this)), book.booked);
        require(units != 0, ITradingVault.SplitNotCovered(token, amount));
    }

    /// @dev What its owner asked back goes last.
    function _spend(TokenBook storage book, address token, address user, uint256 amount) private {
        Account memory account = _load(book, user);
        require(amount <= account.committed, ITradingVault.CommittedTooLow(user, token, account.committed, amount));
        account.committed -= amount.u128();
        if (account.requested > account.committed) account.requested = account.committed;
        book.accounts[user] = account;
    }

    function _credit(TokenBook storage book, address user, uint256 amount, bool isCommitted) private {
        Account memory account = _load(book, user);
        if (isCommitted) account.committed += amount.u128();
        else account.free += amount.u128();
        book.accounts[user] = account;
    }

    /// @dev An account as it is now: splits applied, and what was asked for and waited for is free.
    function _load(TokenBook storage book, address user) private view returns (Account memory account) {
        account = book.accounts[user];
        if (book.follows) _applySplits(book, account);
        if (account.requested != 0 && block.timestamp >= account.readyAt) {
            account.free += account.requested;
            account.committed -= account.requested;
            (account.requested, account.readyAt) = (0, 0);
        }
    }

    function _applySplits(TokenBook storage book, Account memory account) private view {
        uint256 count = book.splits.length;
        for (uint256 i = account.splits; i < count; ++i) {
            (uint256 free, uint256 committed, uint256 requested) =
                SplitLib.scaleParts(account.free, account.committed, account.requested, book.splits[i]);
            (account.free, account.committed, account.requested) = (free.u128(), committed.u128(), requested.u128());
        }
        account.splits = count.u64();
    }

    function _requireSupported(TokenBook storage book, address token) private view {
        require(book.isSupported, ITradingVault.TokenNotSupported(token));
    }

    function _amount(uint256 amount) private pure returns (uint128) {
        require(amount != 0, ITradingVault.ZeroAmount());
        return amount.u128();
    }

    /* VIEWS */

    function accountOf(TokenBook storage book, address user) external view returns (Account memory) {
        return _load(book, user);
    }

    /// @notice How this token's part of a salt begins: of what the token says now, seen or not.
    function legOf(TokenBook storage book, address token) external view returns (bytes8) {
        if (!book.follows) return 0;
        (bool isAnswered, Ratio memory ratio) = SplitLib.read(token);
        if (!isAnswered || SplitLib.isUnderWay(token)) return SaltLib.UNREADABLE;
        if (!SplitLib.isSame(ratio, book.ratio)) return SaltLib.legOf(book.generation + 1, ratio);
        return _knownLeg(book);
    }

    /// @dev Nothing changed under this version: what was signed under version 1 counts on. Unless the ratio came back to
    /// where any salt would do.
    function _knownLeg(TokenBook storage book) private view returns (bytes8) {
        Ratio memory ratio = book.ratio;
        bool isBack = ratio.numerator == ratio.denominator && book.splits.length != 0;
        if (book.generation != 0 || isBack) return SaltLib.legOf(book.generation, ratio);
        return SaltLib.earlierLegOf(ratio);
    }
}
