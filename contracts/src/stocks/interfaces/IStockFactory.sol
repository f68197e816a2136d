// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "./IStockToken.sol";

/// @notice Makes stock tokens, and remembers which ones it made.
interface IStockFactory {
    event StockDeployed(
        address indexed token, address indexed issuer, address indexed deployer, address complianceModule, string isin
    );
    event ImplementationSet(bytes32 indexed kind, address implementation);
    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    error NotAStock(address token);
    error NoImplementation(bytes32 kind);
    error IssuerIsZero();
    error OwnerIsZero();
    error UnknownKind(bytes32 kind);
    error NotForThisFactory(address implementation);
    error AlreadyDeployed(address token);
    error OwnableUnauthorizedAccount(address account);

    /* PUBLIC FUNCTIONS */

    /// @notice Token and compliance module as proxies, both initialised in this call. The address depends on caller and
    /// salt, so nobody can take it first.
    function deployStock(IStockToken.StockTerms calldata terms, uint256 maxHolding, uint256 minHolding, bytes32 salt)
        external
        returns (address token, address complianceModule);

    /* OWNER FUNCTIONS */

    /// @notice What new stocks run, and what old ones may be upgraded to by their legal operators. Kinds: "stockToken" and
    /// "complianceModule".
    function setImplementation(bytes32 kind, address implementation) external;

    /// @notice Nominates the next owner, who has to accept.
    function transferOwnership(address newOwner) external;

    /// @notice Only the nominee.
    function acceptOwnership() external;

    /* VIEWS */

    /// @notice Where `deployStock` by this caller with this salt will put the token.
    function predictStock(address deployer, bytes32 salt) external view returns (address token);

    /// @notice Whether this factory made it.
    function isStock(address token) external view returns (bool);

    /// @notice Reverts for a token that this factory did not make.
    function issuerAtDeployment(address token) external view returns (address);

    function stockCount() external view returns (uint256);

    function stockAt(uint256 index) external view returns (address);

    function owner() external view returns (address);

    function pendingOwner() external view returns (address);

    function version() external view returns (uint256);
}
