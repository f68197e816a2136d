// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../lending/libraries/CastLib.sol";
import {ITradingVault} from "../interfaces/ITradingVault.sol";
import {Trade, TransferRules} from "../interfaces/TradingTypes.sol";
import {Ratio, SplitLib} from "../libraries/SplitLib.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {VaultBooks} from "../libraries/VaultBooks.sol";
import {VaultRules} from "../libraries/VaultRules.sol";
import {Account, TokenBook} from "../libraries/VaultTypes.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice What the vault asks of tokens (decimals, splits, rules), and what spends or frees a commitment.
library VaultModule {
    using CastLib for uint256;

    uint256 private constant MAX_DECIMALS = 30;

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
            Ratio memory ratio = Ratio(1, 1);
            if (follows) {
                (isAnswered, ratio) = SplitLib.read(token);
                require(isAnswered && !SplitLib.isUnderWay(token), ITradingVault.SplitUnreadable(token));
            }
            (book.decimals, book.follows, book.ratio) = (decimals, follows, ratio);
        }
        (book.isSupported, book.rules) = (true, rules);
    }

    /// @notice Follows the splits of a token that tells them, as far as the vault really holds what they made.
    /// @param mustKnow False: a token that tells nothing, or nothing that can be true, leaves the books as they are, so
    /// that people can leave.
    function sync(TokenBook storage book, address token, bool mustKnow) external {
        (bool isAnswered, Ratio memory ratio) = SplitLib.read(token);
        Ratio memory known = book.ratio;
        if (isAnswered && SplitLib.isSame(ratio, known)) return;
        Ratio memory step;
        if (isAnswered && !SplitLib.isUnderWay(token)) step = SplitLib.step(known, ratio);
        require(step.denominator != 0 || !mustKnow, ITradingVault.SplitUnreadable(token));
        if (step.denominator == 0) return;

        uint256 needed = SplitLib.scaleDown(book.booked, step);
        uint256 held = IERC20(token).balanceOf(address(this));
        if (needed > held) {
            // Two splits in a row rounded twice, or shares were taken from here: everybody bears the same part of it.
            require(held != 0 || !mustKnow, ITradingVault.SplitNotCovered(token, needed));
            if (held == 0) return;
            emit ITradingVault.SplitFellShort(token, held, needed);
            step = SplitLib.reduced(held.u128(), book.booked);
            needed = held;
        }
        book.booked = needed.u128();
        book.ratio = ratio;
        book.splits.push(step);
        emit ITradingVault.SplitApplied(token, step.numerator, step.denominator);
    }

    /// @notice An account after the splits it has not been through, rounded down.
    function afterSplits(TokenBook storage book, Account memory account) public view returns (Account memory) {
        uint256 count = book.splits.length;
        for (uint256 i = account.splits; i < count; ++i) {
            Ratio memory step = book.splits[i];
            account.free = SplitLib.scaleDown(account.free, step).u128();
            account.committed = SplitLib.scaleDown(account.committed, step).u128();
            account.requested = SplitLib.scaleDown(account.requested, step).u128();
        }
        account.splits = count.u64();
        return account;
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

    function prefixOf(TokenBook storage book, address token) external view returns (bytes4) {
        (bool isAnswered, Ratio memory ratio) = SplitLib.read(token);
        return SplitLib.prefixOf(isAnswered ? ratio : book.ratio);
    }

    /// @notice Starts the clock for a committed part.
    function request(TokenBook storage book, address token, uint256 amount, uint256 delay) external {
        Account memory account = _load(book, msg.sender);
        uint256 open = account.committed - account.requested;
        require(amount <= open, ITradingVault.CommittedTooLow(msg.sender, token, open, amount));
        account.requested += amount.u128();
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

    /// @notice Takes from what was asked for first: that is what the user waits for.
    function release(TokenBook storage book, address user, address token, uint256 amount, address operator) external {
        Account memory account = _load(book, user);
        require(amount <= account.committed, ITradingVault.CommittedTooLow(user, token, account.committed, amount));
        uint128 exact = amount.u128();
        account.committed -= exact;
        account.free += exact;
        account.requested = exact < account.requested ? account.requested - exact : 0;
        book.accounts[user] = account;
        emit ITradingVault.Released(user, token, amount, operator);
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

    function _load(TokenBook storage book, address user) private view returns (Account memory account) {
        account = book.accounts[user];
        if (book.follows) account = afterSplits(book, account);
        VaultBooks.mature(account);
    }
}
