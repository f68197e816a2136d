// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ExtensionKind, MarketConfig, TermConfig} from "./MarketTypes.sol";

/// @notice Every event of a market.
interface IMarketEvents {
    event MarketAdopted(address indexed operator, address indexed admin, address indexed issuer);
    event ConfigUpdated(MarketConfig config);
    event TermConfigUpdated(TermConfig terms);
    event ReserveRatioUpdated(uint256 reserveRatioBps);
    event AllowExtensionUpdated(bool isAllowed);
    event AuctionModuleUpdated(address indexed previousModule, address indexed newModule);
    event InsuranceFundUpdated(address indexed previousFund, address indexed newFund);
    event IdentityGatesUpdated(address indexed borrowerRegistry, address indexed providerRegistry);
    event OperatorFeeRecipientUpdated(address indexed previous, address indexed current);
    event VaultLiquidityUpdated(bool isEnabled);
    event VaultRegistered(address indexed vault);
    event VaultDeregistered(address indexed vault);
    event Paused(address indexed account);
    event Unpaused(address indexed account);

    event LiquidityAdded(address indexed provider, uint256 amount, uint256 shares);
    event LiquidityRemoved(address indexed provider, uint256 amount, uint256 shares);
    event VaultDrawn(address indexed vault, uint256 amount, uint256 shares);
    event ShareEpochStarted(uint256 epoch);

    event LoanOpened(
        uint256 indexed loanId,
        address indexed borrower,
        uint256 collateral,
        uint256 principal,
        uint256 rateBps,
        uint256 dueAt
    );
    event LoanPayeeSet(uint256 indexed loanId, address indexed payee);
    event LoanIncreased(uint256 indexed loanId, uint256 amount, uint256 principal);
    event OpenFeeCharged(uint256 indexed loanId, uint256 fee);
    event RepayFeeCharged(uint256 indexed loanId, uint256 fee);
    event LoanRepaid(uint256 indexed loanId, address indexed payer, uint256 principal, uint256 interest);
    event InterestSplit(
        uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers
    );
    event CollateralAdded(uint256 indexed loanId, uint256 amount, uint256 total);
    event CollateralWithdrawn(uint256 indexed loanId, uint256 amount, uint256 total);
    event CollateralMissing(uint256 indexed loanId, uint256 expected, uint256 found);
    event LoanClosed(uint256 indexed loanId, uint256 collateralReturned);
    event CollateralSplit(uint256 indexed loanId, uint256 before, uint256 amount);
    event LoanRebound(uint256 indexed loanId, address indexed lostWallet, address indexed newWallet);

    event LoanLiquidated(
        uint256 indexed loanId,
        uint256 indexed realizationId,
        address indexed destination,
        uint256 collateral,
        uint256 claim,
        uint256 totalDebt,
        bool isTerm
    );
    event WrittenOffAtSeizure(uint256 indexed realizationId, uint256 amount, uint256 covered);
    event AuctionProceedsHeld(uint256 indexed realizationId, uint256 amount);
    event RealizationSettled(
        uint256 indexed realizationId,
        uint256 proceeds,
        uint256 covered,
        uint256 shortfall,
        uint256 penalty,
        uint256 recovered
    );
    event LateProceeds(uint256 indexed realizationId, uint256 proceeds, uint256 toPool, uint256 toFund);
    event LiquidationDebtApplied(uint256 indexed loanId, uint256 indexed realizationId, uint256 amount);
    event RealizationWrittenOff(uint256 indexed realizationId, uint256 claim, uint256 covered);
    event ReserveDrawn(uint256 indexed realizationId, uint256 requested, uint256 covered);
    event SaleCountersigned(uint256 indexed realizationId);
    event SurplusReturned(uint256 indexed loanId, address indexed borrower, uint256 amount);
    event SurplusEscrowed(uint256 indexed loanId, address indexed borrower, uint256 amount);
    event SurplusClaimed(address indexed borrower, uint256 amount);

    event ExtensionProposed(
        uint256 indexed proposalId,
        ExtensionKind kind,
        uint256 loanId,
        uint256 newDueAt,
        uint256 maxLoanId,
        uint256 validUntil,
        address indexed proposer
    );
    event ExtensionConfirmed(uint256 indexed proposalId, address indexed by);
    event ExtensionApplied(uint256 indexed proposalId, uint256 indexed loanId, uint256 newDueAt);
    event ExtensionFloorRaised(uint256 indexed proposalId, uint256 newDueFloor);
    event ExtensionCompleted(uint256 indexed proposalId);
    event ExtensionCancelled(uint256 indexed proposalId, address indexed by);

    event InfrastructureFeePaid(address indexed recipient, uint256 amount);
    event OperatorFeePaid(address indexed recipient, uint256 amount);
    event DistributorFeePaid(address indexed provider, uint256 amount);
    event ProtocolFeePaid(address indexed fund, uint256 amount);

    event Snapshot(
        uint256 totalLiquidity,
        uint256 totalBorrowed,
        uint256 availableLiquidity,
        uint256 poolValue,
        uint256 carriedClaims,
        uint256 totalShares,
        uint256 totalCollateral,
        uint256 collateralPrice,
        uint256 borrowRateWad
    );
}
