// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../identity/interfaces/IIdentityClaims.sol";
import {StockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";

/// @notice What the stock is, and whom it asks.
library SetupModule {
    function initialize(StockStorage storage s, IStockToken.StockTerms calldata terms, address module) external {
        require(terms.decimals <= 18, IStockToken.DecimalsTooHigh(terms.decimals));
        (s.name, s.symbol, s.isin) = (terms.name, terms.symbol, terms.isin);
        (s.decimals, s.cumulativeNumerator, s.cumulativeDenominator) = (terms.decimals, 1, 1);
        setMetadataURI(s, terms.metadataURI);
        setSubIssuersAllowed(s, terms.allowSubIssuers);
        setIdentityRegistry(s, terms.identityRegistry);
        setComplianceModule(s, module);
    }

    /// @dev The registry is trusted to answer, so it is asked once.
    function setIdentityRegistry(StockStorage storage s, address newRegistry) public {
        require(newRegistry.code.length != 0, IStockToken.NotAContract(newRegistry));
        IIdentityClaims(newRegistry).isVerified(address(this));
        IIdentityClaims(newRegistry).identity(address(this));
        emit IStockToken.IdentityRegistryUpdated(s.identityRegistry, newRegistry);
        s.identityRegistry = newRegistry;
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
}
