// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";
import {Account, MAX_SUPPLY, StockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Balances and the list of those who have one. Asks nobody's permission.
library LedgerLib {
    function move(StockStorage storage s, address from, address to, uint256 amount) internal {
        if (from != to) {
            debit(s, from, amount);
            credit(s, to, amount);
        }
        emit IERC20.Transfer(from, to, amount);
    }

    function mint(StockStorage storage s, address to, uint256 amount) internal {
        uint256 supply = s.totalSupply;
        require(amount <= MAX_SUPPLY - supply, IStockToken.SupplyTooLarge(supply, MAX_SUPPLY));
        // forge-lint: disable-next-line(unsafe-typecast)
        s.totalSupply = uint96(supply + amount);
        credit(s, to, amount);
        emit IERC20.Transfer(address(0), to, amount);
    }

    /// @dev Burns what is free.
    function burn(StockStorage storage s, address from, uint256 amount) internal {
        require(amount != 0, IStockToken.AmountIsZero());
        uint256 free = freeOf(s, from);
        require(amount <= free, IStockToken.FreeBalanceTooLow(from, free, amount));
        debit(s, from, amount);
        // forge-lint: disable-next-line(unsafe-typecast)
        s.totalSupply -= uint96(amount);
        emit IERC20.Transfer(from, address(0), amount);
    }

    /// @dev The caller keeps the rest at or above what is frozen.
    function debit(StockStorage storage s, address from, uint256 amount) internal {
        Account storage account = s.accounts[from];
        uint256 balance = account.balance;
        require(amount <= balance, IERC20Errors.ERC20InsufficientBalance(from, balance, amount));
        // forge-lint: disable-next-line(unsafe-typecast)
        account.balance = uint96(balance - amount);
        if (amount == balance && amount != 0) _leave(s, account);
    }

    /// @dev No balance can exceed the supply, which fits.
    function credit(StockStorage storage s, address to, uint256 amount) internal {
        Account storage account = s.accounts[to];
        uint256 balance = account.balance;
        // forge-lint: disable-next-line(unsafe-typecast)
        account.balance = uint96(balance + amount);
        if (balance == 0 && amount != 0) _enter(s, account, to);
    }

    /// @dev The largest number stands for ever.
    function spendAllowance(StockStorage storage s, address account, address spender, uint256 amount) internal {
        uint256 allowed = s.allowances[account][spender];
        if (allowed == type(uint256).max) return;
        require(amount <= allowed, IERC20Errors.ERC20InsufficientAllowance(spender, allowed, amount));
        s.allowances[account][spender] = allowed - amount;
    }

    /// @dev Whose wallet it is decides a recovery later, when the registry knows the lost wallet no more.
    function noteIdentity(StockStorage storage s, address holder) internal returns (address identity) {
        identity = IIdentitySource(s.identityRegistry).identity(holder);
        if (identity == address(0)) return identity;
        if (s.identityAtEntry[holder] != identity) s.identityAtEntry[holder] = identity;
        uint256 exchanges = s.registryExchanges;
        if (exchanges != 0 && s.exchangesAtEntry[holder] != exchanges) s.exchangesAtEntry[holder] = exchanges;
    }

    /// @dev Whether the registry of today was asked whose wallet it is.
    function isIdentityNoted(StockStorage storage s, address holder) internal view returns (bool) {
        return s.identityAtEntry[holder] != address(0) && s.exchangesAtEntry[holder] == s.registryExchanges;
    }

    function _enter(StockStorage storage s, Account storage account, address holder) private {
        s.holders.push(holder);
        // forge-lint: disable-next-line(unsafe-typecast)
        account.holderIndex = uint32(s.holders.length);
        if (!account.isAuthorized) noteIdentity(s, holder);
    }

    function _leave(StockStorage storage s, Account storage account) private {
        uint256 index = account.holderIndex;
        uint256 count = s.holders.length;
        if (index != count) {
            address last = s.holders[count - 1];
            s.holders[index - 1] = last;
            // forge-lint: disable-next-line(unsafe-typecast)
            s.accounts[last].holderIndex = uint32(index);
        }
        s.holders.pop();
        account.holderIndex = 0;
    }

    function freeOf(StockStorage storage s, address account) internal view returns (uint256) {
        Account storage a = s.accounts[account];
        return a.balance - a.frozen;
    }
}
