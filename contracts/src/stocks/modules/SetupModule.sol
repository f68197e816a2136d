// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";
import {StockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";

/// @notice What the stock is, and whom it asks.
library SetupModule {
    uint256 private constant REGISTRY_DELAY = 14 days;
    uint256 private constant REGISTRY_WINDOW = 14 days;

    function initialize(StockStorage storage s, IStockToken.StockTerms calldata terms, address module) external {
        require(terms.decimals <= 18, IStockToken.DecimalsTooHigh(terms.decimals));
        (s.name, s.symbol, s.isin) = (terms.name, terms.symbol, terms.isin);
        (s.decimals, s.cumulativeNumerator, s.cumulativeDenominator) = (terms.decimals, 1, 1);
        setMetadataURI(s, terms.metadataURI);
        setSubIssuersAllowed(s, terms.allowSubIssuers);
        _askRegistry(terms.identityRegistry);
        _setIdentityRegistry(s, terms.identityRegistry);
        setComplianceModule(s, module);
    }

    function announceIdentityRegistry(StockStorage storage s, address newRegistry) external {
        if (newRegistry != address(0)) _askRegistry(newRegistry);
        uint256 readyAt = newRegistry == address(0) ? 0 : block.timestamp + REGISTRY_DELAY;
        // forge-lint: disable-next-line(unsafe-typecast)
        (s.announcedRegistry, s.registryReadyAt) = (newRegistry, uint64(readyAt));
        emit IStockToken.IdentityRegistryAnnounced(newRegistry, readyAt);
    }

    /// @dev Who says whose wallet is whose says to whom shares are recovered.
    function exchangeIdentityRegistry(StockStorage storage s, address newRegistry) external {
        require(
            newRegistry != address(0) && newRegistry == s.announcedRegistry,
            IStockToken.RegistryNotAnnounced(newRegistry)
        );
        uint256 readyAt = s.registryReadyAt;
        require(block.timestamp >= readyAt, IStockToken.RegistryNotReady(readyAt));
        require(block.timestamp <= readyAt + REGISTRY_WINDOW, IStockToken.RegistryLapsed(readyAt + REGISTRY_WINDOW));
        _askRegistry(newRegistry);
        (s.announcedRegistry, s.registryReadyAt) = (address(0), 0);
        ++s.registryExchanges;
        _setIdentityRegistry(s, newRegistry);
    }

    function setComplianceModule(StockStorage storage s, address newModule) public {
        require(newModule == address(0) || newModule.code.length != 0, IStockToken.NotAContract(newModule));
        emit IStockToken.ComplianceModuleUpdated(s.complianceModule, newModule);
        s.complianceModule = newModule;
    }

    function setMetadataURI(StockStorage storage s, string calldata newURI) public {
        emit IStockToken.MetadataURIUpdated(s.metadataURI, newURI);
        s.metadataURI = newURI;
    }

    function setSubIssuersAllowed(StockStorage storage s, bool allowed) public {
        s.areSubIssuersAllowed = allowed;
        emit IStockToken.SubIssuersAllowed(allowed);
    }

    function setAuthorized(StockStorage storage s, address account, bool isAuthorized) external {
        require(s.accounts[account].isAuthorized != isAuthorized, IStockToken.AuthorizationUnchanged(account));
        s.accounts[account].isAuthorized = isAuthorized;
        if (isAuthorized) {
            require(account.code.length != 0, IStockToken.NotAContract(account));
            emit IStockToken.AuthorizedContractAdded(account);
        } else {
            emit IStockToken.AuthorizedContractRemoved(account);
        }
    }

    /* INTERNAL */

    /// @dev The registry is trusted to answer, so it is asked once.
    function _askRegistry(address registry) private view {
        require(registry.code.length != 0, IStockToken.NotAContract(registry));
        IIdentitySource(registry).isVerified(address(this));
        IIdentitySource(registry).identity(address(this));
    }

    function _setIdentityRegistry(StockStorage storage s, address newRegistry) private {
        emit IStockToken.IdentityRegistryUpdated(s.identityRegistry, newRegistry);
        s.identityRegistry = newRegistry;
    }
}
