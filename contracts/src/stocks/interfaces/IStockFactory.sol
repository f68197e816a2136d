// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "./IStockToken.sol";

/// @notice Makes stock tokens, and remembers which ones it made.
interface IStockFactory {
    event StockDeployed(
        address indexed token, address indexed issuer, address indexed deployer, address complianceModule, string isin
    );
    event ImplementationSet(bytes32 indexed kind, address implementation);

    error NotAStock(address token);
    error NoImplementation(bytes32 kind);
    error IssuerIsZero();

    /// @notice Token and compliance module as proxies, both initialised in this call. The address depends on caller and
    /// salt, so nobody can take it first.
    function deployStock(IStockToken.StockTerms calldata terms, uint256 maxHolding, uint256 minHolding, bytes32 salt)
        external
        returns (address token, address complianceModule);

    /// @notice Where `deployStock` by this caller with this salt will put the token.
    function predictStock(address deployer, bytes32 salt) external view returns (address token);

    /// @notice Whether this factory made it.
    function isStock(address token) external view returns (bool);

    function issuerAtDeployment(address token) external view returns (address);
}
