// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a trader signs (EIP-712), once per order. It fills in parts, never beyond its quantity.
struct Order {
    address trader;
    /// @dev What is traded.
    address token;
    /// @dev What is paid with.
    address quote;
    bool isBuy;
    /// @dev Smallest units of `token`.
    uint256 quantity;
    /// @dev Smallest units of `quote` for one whole `token`. A buyer pays no more, a seller gets no less.
    uint256 price;
    /// @dev Smallest units of `quote`: the most this order pays in fees when it is filled whole, in parts the same part.
    uint256 maxFee;
    /// @dev The last second in which it may fill.
    uint64 expiry;
    /// @dev Dead once the trader's nonce floor is above it.
    uint64 nonce;
    /// @dev Tells equal orders apart. Where a token has been split it begins with `saltPrefix(token, quote)`.
    bytes32 salt;
}

/// @notice One trade between two signed orders.
struct Fill {
    /// @dev Chosen by the operator. The fill settles once under it.
    bytes32 tradeRef;
    Order maker;
    bytes makerSignature;
    Order taker;
    bytes takerSignature;
    uint256 quantity;
    uint256 price;
    /// @dev In `quote`. Negative: a rebate, paid out of the taker's fee.
    int256 makerFee;
    uint256 takerFee;
}

/// @notice A fill that was checked, as amounts.
struct Trade {
    bytes32 makerHash;
    bytes32 takerHash;
    address seller;
    address buyer;
    address token;
    address quote;
    uint256 quantity;
    uint256 quoteAmount;
    /// @dev `sellerGets + feeGets`.
    uint256 buyerPays;
    uint256 sellerGets;
    uint256 feeGets;
}

/// @notice How a token says who may hold it.
enum TransferRules {
    NONE,
    /// @dev `canTransfer(from, to, amount) returns (uint8 code, string rule)` on the token itself.
    CAN_TRANSFER,
    /// @dev Pause, frozen wallets, identity registry and compliance contract of ERC-3643.
    ERC3643,
    /// @dev ERC-3643, and `detectTransferRestriction` of ERC-1404 besides.
    ERC1404
}
