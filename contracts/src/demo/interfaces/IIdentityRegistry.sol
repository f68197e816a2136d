// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The part of ERC-3643's identity registry that a token, and a reader of a token, depends on.
interface IIdentityRegistry {
    event IdentityRegistered(address indexed investorAddress, address indexed identity);
    event IdentityRemoved(address indexed investorAddress, address indexed identity);
    event IdentityUpdated(address indexed oldIdentity, address indexed newIdentity);
    event CountryUpdated(address indexed investorAddress, uint16 indexed country);

    error AlreadyRegistered(address wallet);
    error NotRegistered(address wallet);
    error IdentityIsZero();

    /// @notice Ties a wallet to an identity contract and a country (ISO 3166-1 numeric). Only agents.
    function registerIdentity(address wallet, address identity_, uint16 country) external;

    /// @notice Only agents. The wallet keeps what it holds and can receive no more.
    function deleteIdentity(address wallet) external;

    /// @notice Only agents.
    function updateIdentity(address wallet, address newIdentity) external;

    /// @notice Only agents.
    function updateCountry(address wallet, uint16 newCountry) external;

    /// @notice Whether the wallet is in the registry at all.
    function contains(address wallet) external view returns (bool);

    /// @notice Whether the wallet may hold the token.
    function isVerified(address wallet) external view returns (bool);

    function identity(address wallet) external view returns (address);

    function investorCountry(address wallet) external view returns (uint16);
}
