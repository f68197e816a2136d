// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TransferRules} from "../interfaces/TradingTypes.sol";
import {Ratio} from "./SplitLib.sol";

struct Account {
    uint128 free;
    /// @dev Includes `requested`.
    uint128 committed;
    uint128 requested;
    uint64 readyAt;
    /// @dev How many of the token's splits these amounts have been through.
    uint64 splits;
}

/// @notice One token and everybody's balances in it.
struct TokenBook {
    bool isSupported;
    TransferRules rules;
    /// @dev Whether balances follow the token's splits.
    bool follows;
    uint8 decimals;
    /// @dev The sum of all accounts, and what rounding took from them at splits.
    uint128 booked;
    /// @dev All splits of the token so far, those before it was added too.
    Ratio ratio;
    Ratio[] splits;
    mapping(address user => Account) accounts;
    /// @dev How often the ratio changed since version 2.
    uint64 generation;
}
