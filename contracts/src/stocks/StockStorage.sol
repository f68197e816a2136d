// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice All that a transfer has to know of one wallet, in one slot.
struct Account {
    uint96 balance;
    /// @dev The sum of the account's freezes.
    uint96 frozen;
    /// @dev Place in `holders`, from 1; 0 for none.
    uint32 holderIndex;
    uint8 freezeCount;
    bool isFrozen;
    bool isAuthorized;
}

/// @notice What one agent froze of one account; agent zero stands for the controllers.
struct Freeze {
    address agent;
    uint96 amount;
    /// @dev The part of `amount` that splits added.
    uint96 surplus;
    /// @dev Taken by controllers, and not yet released by the agent.
    uint96 broken;
}

struct SubIssuer {
    uint128 outstanding;
    /// @dev Splits that `outstanding` and `cap` have been through: the others are worked in when they are read.
    uint32 splitsSeen;
    uint256 cap;
}

struct Ratio {
    uint32 numerator;
    uint32 denominator;
}

/// @custom:storage-location erc7201:tallystick.storage.StockToken
struct StockStorage {
    address identityRegistry;
    uint8 decimals;
    bool isPaused;
    bool isSplitting;
    bool areSubIssuersAllowed;
    address complianceModule;
    uint96 totalSupply;
    /// @dev Of the split under way.
    Ratio ratio;
    uint32 nextHolder;
    uint128 cumulativeNumerator;
    uint128 cumulativeDenominator;
    string name;
    string symbol;
    string isin;
    string metadataURI;
    address[] issuers;
    address[] holders;
    Ratio[] splits;
    mapping(address account => Account) accounts;
    mapping(address account => mapping(uint256 position => Freeze)) freezes;
    mapping(address account => address) identityAtEntry;
    mapping(address account => mapping(address spender => uint256)) allowances;
    mapping(address account => uint256) nonces;
    mapping(bytes32 role => mapping(address account => bool)) isHolderOf;
    mapping(address account => SubIssuer) subIssuers;
    mapping(uint256 split => mapping(address account => uint256)) remainders;
    address announcedRegistry;
    uint64 registryReadyAt;
    /// @dev How often the registry was exchanged, since version 2.
    uint32 registryExchanges;
    /// @dev Exchanges before `identityAtEntry` was noted: what it says is of that registry.
    mapping(address account => uint256) exchangesAtEntry;
    /// @dev Where the shares of a lost wallet went, since version 2.
    mapping(address lostWallet => address) successors;
}

/// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.StockToken")) - 1)) & ~bytes32(uint256(0xff))
bytes32 constant STOCK_SLOT = 0x627eddb21f4b8b8e21a851f49f1d2dc4b2ce63faf5ca7b0048cc9315b5d7b800;

/// @dev A balance, and so a freeze, fits 96 bits, as in the lending adapters.
uint256 constant MAX_SUPPLY = type(uint96).max;

/// @dev In whose name the controllers' freezes are kept.
address constant CONTROLLERS = address(0);

function stockStorage() pure returns (StockStorage storage s) {
    assembly ("memory-safe") {
        s.slot := STOCK_SLOT
    }
}
