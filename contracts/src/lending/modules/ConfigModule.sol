// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {IDutchAuctionVenue} from "../interfaces/IDutchAuctionVenue.sol";
import {IInsuranceFund} from "../interfaces/IInsuranceFund.sol";
import {IInterestRateModel, RateMode} from "../interfaces/IInterestRateModel.sol";
import {ILendingFactory} from "../interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {IMarketVault} from "../interfaces/IMarketVault.sol";
import {MarketConfig, TermConfig} from "../interfaces/MarketTypes.sol";
import {AbsenceLib} from "./AbsenceLib.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";

/// @notice What issuer and admin may set, and within which bounds.
library ConfigModule {
    using CastLib for uint256;

    uint256 internal constant MAX_VAULTS = 8;

    function setConfig(MarketStorage storage s, MarketConfig calldata c) public {
        uint256 threshold = s.liquidationThresholdBps;
        _check(c.collateralFactorBps >= 1_000 && c.collateralFactorBps <= 9_000, "collateralFactor");
        _check(
            c.liquidationThresholdBps > c.collateralFactorBps && c.liquidationThresholdBps <= 9_500,
            "liquidationThreshold"
        );
        uint256 step = threshold > c.liquidationThresholdBps
            ? threshold - c.liquidationThresholdBps
            : c.liquidationThresholdBps - threshold;
        require(threshold == 0 || step <= 1_000, IMarketErrors.ConfigChangeTooLarge("liquidationThreshold"));
        _check(
            c.liquidationPenaltyBps <= 5_000 && c.liquidationPenaltyBps >= s.terms.termPenaltyBps, "liquidationPenalty"
        );
        _check(c.protocolFeeBps <= 10_000, "protocolFeeRate");
        _check(c.closeFactorBps >= 1_000 && c.closeFactorBps <= 5_000, "closeFactor");
        _check(c.auctionDuration >= 600 && c.auctionDuration <= 86_400, "auctionDuration");
        _check(c.auctionStartBps >= 10_000 && c.auctionStartBps <= 20_000, "auctionStartPremium");
        uint256 lowestFloor = s.isMarketPriced ? 9_800 : 8_000;
        _check(c.auctionMinBps >= lowestFloor && c.auctionMinBps <= 10_000, "auctionMinPremium");
        if (c.useDutchAuction) {
            require(!s.isMarketPriced, IMarketErrors.AuctionUnsupported());
            require(s.auctionModule != address(0), IMarketErrors.AuctionModuleNotSet());
            _check(c.auctionStartBps > c.auctionMinBps, "auctionStartPremium");
        }
        // Interest so far keeps the insurance rate at which it accrued.
        PoolLib.accrue(s);
        // Loans of earlier versions keep what was in force until the first setting.
        if (s.earlierThresholdBps == 0) {
            (s.earlierThresholdBps, s.earlierPenaltyBps) = (s.liquidationThresholdBps, s.liquidationPenaltyBps);
        }
        _store(s, c);
        AbsenceLib.refresh(s);
        LoanLib.refreshTerms(s);
        emit IMarketEvents.ConfigUpdated(c);
    }

    function setTermConfig(
        MarketStorage storage s,
        uint256 maxLoanDuration,
        uint256 gracePeriod,
        uint256 terminalDueAt,
        uint256 termPenaltyBps
    ) public {
        TermConfig memory terms = s.terms;
        _checkTerm(
            maxLoanDuration == 0 || (maxLoanDuration >= 1 days && maxLoanDuration <= 3650 days), "maxLoanDuration"
        );
        _checkTerm(terminalDueAt == 0 || terminalDueAt > block.timestamp, "terminalDueDate");
        bool hasTerms = maxLoanDuration != 0 || terminalDueAt != 0;
        _checkTerm(gracePeriod >= 1 days && gracePeriod <= 30 days, "termGracePeriod");
        _checkTerm(termPenaltyBps <= s.liquidationPenaltyBps && (hasTerms || termPenaltyBps == 0), "termPenalty");
        require(
            maxLoanDuration != 0 || IInterestRateModel(s.model).offer().mode != RateMode.FIXED,
            IMarketErrors.TermsRequiredByFixedRate()
        );
        terms.maxLoanDuration = maxLoanDuration.u32();
        terms.gracePeriod = gracePeriod.u32();
        terms.terminalDueAt = terminalDueAt.u40();
        terms.termPenaltyBps = termPenaltyBps.u16();
        s.terms = terms;
        AbsenceLib.refresh(s);
        if (s.books.termsId != 0) LoanLib.refreshTerms(s);
        emit IMarketEvents.TermConfigUpdated(terms);
    }

    /// @notice Takes over the model's terms.
    function syncRate(MarketStorage storage s) external {
        PoolLib.accrue(s);
        PoolLib.syncRates(s);
        LoanLib.refreshTerms(s);
    }

    function setReserveRatio(MarketStorage storage s, uint256 newRatioBps) external {
        _check(newRatioBps <= 5_000, "reserveRatio");
        s.reserveRatioBps = newRatioBps.u16();
        emit IMarketEvents.ReserveRatioUpdated(newRatioBps);
    }

    /// @dev Seized collateral is the venue's to sell: only code that the factory knows, built for exactly this market.
    function setAuctionModule(MarketStorage storage s, address newModule, address factory) external {
        require(!s.isMarketPriced, IMarketErrors.AuctionUnsupported());
        require(s.openAuctions == 0, IMarketErrors.AuctionsOpen(s.openAuctions));
        require(_isVenue(factory, newModule), IMarketErrors.AuctionModuleMismatch(newModule));
        emit IMarketEvents.AuctionModuleUpdated(s.auctionModule, newModule);
        s.auctionModule = newModule;
        // Its clock has to stand still with the market.
        if (s.isPaused) IDutchAuctionVenue(newModule).marketPaused(true);
    }

    function setInsuranceFund(MarketStorage storage s, address newFund) external {
        _check(newFund.code.length != 0 && IInsuranceFund(newFund).asset() == s.asset, "insuranceFund");
        emit IMarketEvents.InsuranceFundUpdated(s.fund, newFund);
        s.fund = newFund;
    }

    /// @dev A market priced by an exchange lends only to registered borrowers, for ever.
    function setIdentityGates(MarketStorage storage s, address borrowerRegistry, address providerRegistry) public {
        require(!s.isMarketPriced || borrowerRegistry != address(0), IMarketErrors.RegisterRequired());
        (s.borrowerRegistry, s.providerRegistry) = (borrowerRegistry, providerRegistry);
        AbsenceLib.refresh(s);
        emit IMarketEvents.IdentityGatesUpdated(borrowerRegistry, providerRegistry);
    }

    function setVaultLiquidity(MarketStorage storage s, bool isEnabled) public {
        s.useVaultLiquidity = isEnabled;
        emit IMarketEvents.VaultLiquidityUpdated(isEnabled);
    }

    function registerVault(MarketStorage storage s, address vault) public {
        require(s.vaultPosition[vault] == 0, IMarketErrors.VaultAlreadyRegistered(vault));
        require(s.vaults.length < MAX_VAULTS, IMarketErrors.TooManyVaults(MAX_VAULTS));
        require(
            vault.code.length != 0 && IMarketVault(vault).asset() == s.asset, IMarketErrors.VaultAssetMismatch(vault)
        );
        s.vaults.push(vault);
        s.vaultPosition[vault] = s.vaults.length;
        emit IMarketEvents.VaultRegistered(vault);
    }

    /// @dev The last vault takes the place of the one that leaves.
    function deregisterVault(MarketStorage storage s, address vault) external {
        uint256 position = s.vaultPosition[vault];
        require(position != 0, IMarketErrors.VaultNotRegistered(vault));
        address last = s.vaults[s.vaults.length - 1];
        (s.vaults[position - 1], s.vaultPosition[last]) = (last, position);
        s.vaults.pop();
        delete s.vaultPosition[vault];
        emit IMarketEvents.VaultDeregistered(vault);
    }

    function setOperatorFeeRecipient(MarketStorage storage s, address newRecipient) external {
        address previous = s.operator;
        require(msg.sender == previous, IMarketErrors.NotOperator(msg.sender));
        _check(newRecipient != address(0), "operatorFeeRecipient");
        s.operator = newRecipient;
        emit IMarketEvents.OperatorFeeRecipientUpdated(previous, newRecipient);
    }

    function setPaused(MarketStorage storage s, bool isPaused) external {
        if (s.isPaused == isPaused) return;
        s.isPaused = isPaused;
        if (isPaused) emit IMarketEvents.Paused(msg.sender);
        else emit IMarketEvents.Unpaused(msg.sender);
        address venue = s.auctionModule;
        if (venue != address(0)) IDutchAuctionVenue(venue).marketPaused(isPaused);
    }

    /// @dev A factory from before version 3 verifies nothing, so nothing is accepted.
    function _isVenue(address factory, address module) private returns (bool) {
        try ILendingFactory(factory).verifyVenue(address(this), module) returns (bool isVenue) {
            return isVenue;
        } catch {
            return false;
        }
    }

    function _store(MarketStorage storage s, MarketConfig calldata c) private {
        s.collateralFactorBps = c.collateralFactorBps;
        s.liquidationThresholdBps = c.liquidationThresholdBps;
        s.liquidationPenaltyBps = c.liquidationPenaltyBps;
        s.protocolFeeBps = c.protocolFeeBps;
        s.closeFactorBps = c.closeFactorBps;
        s.useDutchAuction = c.useDutchAuction;
        s.auctionDuration = c.auctionDuration;
        s.auctionStartBps = c.auctionStartBps;
        s.auctionMinBps = c.auctionMinBps;
        s.minBorrowAmount = c.minBorrowAmount;
        s.maxTotalCollateral = c.maxTotalCollateral;
        s.maxUserCollateral = c.maxUserCollateral;
    }

    function _check(bool isValid, bytes32 field) private pure {
        require(isValid, IMarketErrors.InvalidConfig(field));
    }

    function _checkTerm(bool isValid, bytes32 field) private pure {
        require(isValid, IMarketErrors.InvalidTermConfig(field));
    }
}
