// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {VaultModule} from "../modules/VaultModule.sol";
import {Account, TokenBook} from "./VaultTypes.sol";

/// @notice Balances of the vault. A split is written down once and reaches an account when it is next used.
library VaultBooks {
    /// @notice An account as it is now: splits applied, and what was asked for and waited for is free.
    function load(TokenBook storage book, address user) internal view returns (Account memory account) {
        account = book.accounts[user];
        if (book.follows && account.splits != book.splits.length) {
            account = VaultModule.afterSplits(book, account);
        }
        mature(account);
    }

    /// @notice What was asked for and waited for is free.
    function mature(Account memory account) internal view {
        if (account.requested != 0 && block.timestamp >= account.readyAt) {
            account.free += account.requested;
            account.committed -= account.requested;
            (account.requested, account.readyAt) = (0, 0);
        }
    }

    function store(TokenBook storage book, address user, Account memory account) internal {
        book.accounts[user] = account;
    }
}
