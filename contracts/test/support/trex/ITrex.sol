// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What the tests call of the shipped ERC-3643 contracts and of the identities behind them.
interface ITrexToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event TokensFrozen(address indexed holder, uint256 amount);
    event TokensUnfrozen(address indexed holder, uint256 amount);

    function addAgent(address agent) external;

    function removeAgent(address agent) external;

    function isAgent(address agent) external view returns (bool);

    function pause() external;

    function unpause() external;

    function mint(address to, uint256 amount) external;

    function burn(address holder, uint256 amount) external;

    function transfer(address to, uint256 amount) external returns (bool);

    function approve(address spender, uint256 amount) external returns (bool);

    function forcedTransfer(address from, address to, uint256 amount) external returns (bool);

    function freezePartialTokens(address holder, uint256 amount) external;

    function unfreezePartialTokens(address holder, uint256 amount) external;

    function setAddressFrozen(address holder, bool isFrozen) external;

    function recoveryAddress(address lostWallet, address newWallet, address identity) external returns (bool);

    function balanceOf(address holder) external view returns (uint256);

    function getFrozenTokens(address holder) external view returns (uint256);

    function totalSupply() external view returns (uint256);
}

interface ITrexRegistry {
    function addAgent(address agent) external;

    function bindIdentityRegistry(address registry) external;

    function addClaimTopic(uint256 topic) external;

    function addTrustedIssuer(address issuer, uint256[] calldata topics) external;

    function updateIssuerClaimTopics(address issuer, uint256[] calldata topics) external;

    function registerIdentity(address holder, address identity, uint16 country) external;

    function deleteIdentity(address holder) external;

    function identity(address holder) external view returns (address);

    function isVerified(address holder) external view returns (bool);
}

interface ITrexIdentity {
    function addKey(bytes32 key, uint256 purpose, uint256 keyType) external returns (bool);

    function addClaim(
        uint256 topic,
        uint256 scheme,
        address issuer,
        bytes calldata signature,
        bytes calldata data,
        string calldata uri
    ) external returns (bytes32);
}

interface ITrexAuthority {
    struct Version {
        uint8 major;
        uint8 minor;
        uint8 patch;
    }

    struct Contracts {
        address tokenImplementation;
        address ctrImplementation;
        address irImplementation;
        address irsImplementation;
        address tirImplementation;
        address mcImplementation;
    }

    function addAndUseTREXVersion(Version calldata version, Contracts calldata contracts) external;
}
