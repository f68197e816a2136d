// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Freeze, StockStorage, stockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {FreezeLib} from "../libraries/FreezeLib.sol";
import {LedgerLib} from "../libraries/LedgerLib.sol";
import {ControlModule} from "../modules/ControlModule.sol";
import {IssuanceModule} from "../modules/IssuanceModule.sol";

/// @title StockViews
abstract contract StockViews is IStockToken {
    using FreezeLib for StockStorage;
    using LedgerLib for StockStorage;

    /* THE TOKEN */

    /// @inheritdoc IStockToken
    function isin() external view returns (string memory) {
        return stockStorage().isin;
    }

    /// @inheritdoc IStockToken
    function metadataURI() external view returns (string memory) {
        return stockStorage().metadataURI;
    }

    /// @inheritdoc IStockToken
    function owner() external view returns (address) {
        return stockStorage().issuers[0];
    }

    /// @notice All issuers, the longest-serving first.
    function issuers() external view returns (address[] memory) {
        return stockStorage().issuers;
    }

    /// @inheritdoc IStockToken
    function identityRegistry() external view returns (address) {
        return stockStorage().identityRegistry;
    }

    /// @inheritdoc IStockToken
    function announcedIdentityRegistry() external view returns (address registry, uint256 readyAt) {
        return (stockStorage().announcedRegistry, stockStorage().registryReadyAt);
    }

    /// @inheritdoc IStockToken
    function compliance() external view returns (address) {
        return stockStorage().complianceModule;
    }

    /// @inheritdoc IStockToken
    function complianceModule() external view returns (address) {
        return stockStorage().complianceModule;
    }

    /// @inheritdoc IStockToken
    function onchainID() external pure returns (address) {
        return address(0);
    }

    /// @inheritdoc IStockToken
    function paused() external view returns (bool) {
        return stockStorage().isPaused;
    }

    /* ACCOUNTS */

    /// @inheritdoc IStockToken
    function isFrozen(address account) external view returns (bool) {
        return stockStorage().accounts[account].isFrozen;
    }

    /// @inheritdoc IStockToken
    function isAuthorizedContract(address account) external view returns (bool) {
        return stockStorage().accounts[account].isAuthorized;
    }

    /// @inheritdoc IStockToken
    function getFrozenTokens(address account) external view returns (uint256) {
        return stockStorage().accounts[account].frozen;
    }

    /// @inheritdoc IStockToken
    function frozenTokens(address account) external view returns (uint256) {
        return stockStorage().accounts[account].frozen;
    }

    /// @inheritdoc IStockToken
    function frozenBy(address agent, address account) external view returns (uint256) {
        return _freezeOf(agent, account).amount;
    }

    /// @inheritdoc IStockToken
    function surplusOf(address agent, address account) external view returns (uint256) {
        return _freezeOf(agent, account).surplus;
    }

    /// @inheritdoc IStockToken
    function brokenPledgeOf(address agent, address account) external view returns (uint256) {
        return _freezeOf(agent, account).broken;
    }

    /// @inheritdoc IStockToken
    function transferableBalance(address account) external view returns (uint256) {
        return stockStorage().freeOf(account);
    }

    /// @inheritdoc IStockToken
    function identityOfHolder(address account) external view returns (address) {
        return stockStorage().identityAtEntry[account];
    }

    /// @inheritdoc IStockToken
    function successorOf(address wallet) external view returns (address) {
        return ControlModule.successorOf(stockStorage(), wallet);
    }

    /// @inheritdoc IStockToken
    function holderCount() external view returns (uint256) {
        return stockStorage().holders.length;
    }

    /// @inheritdoc IStockToken
    function holdersAt(uint256 start, uint256 count) external view returns (address[] memory page) {
        address[] storage holders = stockStorage().holders;
        uint256 left = start < holders.length ? holders.length - start : 0;
        page = new address[](count < left ? count : left);
        for (uint256 i = 0; i < page.length; ++i) {
            page[i] = holders[start + i];
        }
    }

    /* SPLITS */

    /// @inheritdoc IStockToken
    function splitRatio() external view returns (uint256 numerator, uint256 denominator) {
        return (stockStorage().cumulativeNumerator, stockStorage().cumulativeDenominator);
    }

    /// @inheritdoc IStockToken
    function splitCount() external view returns (uint256) {
        return stockStorage().splits.length;
    }

    /// @inheritdoc IStockToken
    function splitFraction(uint256 split, address account)
        external
        view
        returns (uint256 remainder, uint256 denominator)
    {
        StockStorage storage s = stockStorage();
        remainder = s.remainders[split][account];
        if (remainder != 0) {
            denominator = split < s.splits.length ? s.splits[split].denominator : s.ratio.denominator;
        }
    }

    /// @inheritdoc IStockToken
    function splitHoldersLeft() external view returns (uint256) {
        StockStorage storage s = stockStorage();
        return s.isSplitting ? s.holders.length - s.nextHolder : 0;
    }

    /* SUB-ISSUERS */

    /// @inheritdoc IStockToken
    function subIssuersAllowed() external view returns (bool) {
        return stockStorage().areSubIssuersAllowed;
    }

    /// @inheritdoc IStockToken
    function subIssuerCap(address account) external view returns (uint256) {
        return IssuanceModule.subIssuerOf(stockStorage(), account).cap;
    }

    /// @inheritdoc IStockToken
    function subIssuerOutstanding(address account) external view returns (uint256) {
        return IssuanceModule.subIssuerOf(stockStorage(), account).outstanding;
    }

    /* INTERNAL */

    function _freezeOf(address agent, address account) private view returns (Freeze memory) {
        StockStorage storage s = stockStorage();
        return s.freezes[account][s.find(account, agent)];
    }
}
