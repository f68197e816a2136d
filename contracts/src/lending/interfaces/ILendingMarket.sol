// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "./IMarketErrors.sol";
import {IMarketEvents} from "./IMarketEvents.sol";
import {SignedPrice} from "./ISecurityPriceOracle.sol";
import {
    Arrears,
    CuratorTerms,
    ExtensionKind,
    ExtensionProposal,
    LoanStatus,
    MarketConfig,
    MarketSetup,
    Realization,
    TermConfig
} from "./MarketTypes.sol";

/// @notice The pool and its liabilities. Interest is projected to the current second.
/// @param cash What may be withdrawn.
/// @param interestGross Interest of all loans that is not paid yet, fees included.
/// @param totalAssets What the shares stand for.
struct PoolView {
    uint256 cash;
    uint256 totalBorrowed;
    uint256 totalLiquidity;
    uint256 borrowable;
    uint256 interestGross;
    uint256 totalAssets;
    uint256 totalShares;
    uint256 carriedClaims;
    uint256 heldProceeds;
    uint256 escrowedSurplus;
    uint256 infrastructureFees;
    uint256 operatorFees;
    uint256 distributorFees;
    uint256 protocolFees;
    uint256 totalCollateral;
    uint256 borrowRateWad;
    uint256 loanCounter;
    uint256 activeLoans;
    uint256 realizationCounter;
    uint256 proposalCounter;
    uint256 openAuctions;
    uint256 epoch;
}

/// @param payee Zero: the borrower.
/// @param interest Projected to the current second.
/// @param rateBps The stamped rate; 0: variable.
/// @param effectiveDueAt The later of `dueAt` and the market's floor; 0: no maturity.
struct LoanView {
    address borrower;
    address payee;
    LoanStatus status;
    uint256 principal;
    uint256 interest;
    uint256 collateral;
    uint256 rateBps;
    uint256 dueAt;
    uint256 effectiveDueAt;
    uint256 gracePeriod;
    uint256 termPenaltyBps;
}

/// @notice The addresses a market works with.
struct MarketParts {
    address asset;
    address collateralToken;
    address oracle;
    address model;
    address fund;
    address adapter;
    address router;
    address auctionModule;
    address borrowerRegistry;
    address providerRegistry;
    address operator;
}

/// @notice A pool that lends one asset against one security. It never touches the collateral token: the adapter does.
/// @dev Assumptions: the borrow asset is an ERC-20 of 6 to 18 decimals that neither rebases nor keeps a fee (one that
/// keeps a fee is refused at the transfer); the price is in smallest units of the asset per whole collateral token.
interface ILendingMarket is IMarketErrors, IMarketEvents {
    /* FACTORY */

    function initialize(MarketSetup calldata setup) external;

    /// @notice Grants every role, hands over the satellites, fixes sale recipient and pledgee. Only the factory, once.
    function adopt(address operator, CuratorTerms calldata terms, bool mayInstallBorrowers) external;

    /* PROVIDERS */

    /// @notice Only the operator wallet and registered vaults. The first deposit of an empty or wiped-out pool is at
    /// least `minInitialDeposit`.
    function addLiquidity(uint256 amount) external returns (uint256 shares);

    /// @notice All or nothing, bound by the cash of the pool. Never paused.
    function removeLiquidity(uint256 shares) external returns (uint256 amount);

    /* BORROWERS */

    /// @notice Pledges the caller's collateral and pays the caller `amount` less the open fee.
    function openLoan(uint256 collateral, uint256 amount, SignedPrice calldata signedPrice)
        external
        returns (uint256 loanId);

    /// @notice The same with another wallet that receives this and every later draw of the loan.
    function openLoan(uint256 collateral, uint256 amount, address payee, SignedPrice calldata signedPrice)
        external
        returns (uint256 loanId);

    /// @notice Draws more on a variable loan. Only its borrower.
    function borrowMore(uint256 loanId, uint256 amount, SignedPrice calldata signedPrice) external;

    /// @notice Pays interest, then principal. Anyone; never paused. What closes the loan also releases its collateral.
    /// @param amount The most to take; never more than closes the loan is taken.
    function repay(uint256 loanId, uint256 amount) external returns (uint256 paid);

    /// @notice `repay` with an ERC-2612 permit of the caller. A permit that was already used is no obstacle.
    function repayWithPermit(uint256 loanId, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        returns (uint256 paid);

    /// @notice Closes a loan without debt and releases its collateral. Only its borrower.
    function closeLoan(uint256 loanId) external;

    /// @notice Only the loan's borrower.
    function addCollateral(uint256 loanId, uint256 amount) external;

    /// @notice Only the loan's borrower. With debt: needs a fresh price, leaves the loan healthy.
    function withdrawCollateral(uint256 loanId, uint256 amount, SignedPrice calldata signedPrice) external;

    /// @notice Moves loan and pledge to the wallet to which the token's agent recovered the borrower's. Anyone.
    function rebindPledge(uint256 loanId, address newWallet) external;

    /// @notice Pays out surplus that the asset refused to transfer.
    function claimSurplus() external returns (uint256 amount);

    /// @notice Pays the surplus of a lost wallet to the one that took its place by the collateral's own record. Anyone.
    function claimSurplusOfLostWallet(address lostWallet) external returns (uint256 amount);

    /* REALIZATION */

    /// @notice Realizes a loan that is unhealthy by its booked collateral, or past maturity and grace. Only
    /// `LIQUIDATOR_ROLE`.
    /// In atomic mode the sale recipient buys at once; what it does not buy or pay waits in the router for a sale.
    function liquidate(uint256 loanId, SignedPrice calldata signedPrice) external returns (uint256 realizationId);

    /// @notice The part of `liquidate` that is undone when the sale fails. Only the market itself.
    function liquidateAtomically(uint256 loanId, SignedPrice calldata signedPrice, uint256 bidFactorBps)
        external
        returns (uint256 realizationId);

    /// @notice Settles a record, or adds late cash to a closed one. Only the router.
    function receiveLiquidationProceeds(uint256 realizationId, uint256 amount) external;

    /// @notice Holds the cash of a fill; the closing fill settles. Only the venue.
    function creditAuctionFill(uint256 realizationId, uint256 amount, bool isClosing) external;

    /// @notice Unlocks the loan of an auction that expired. Only the venue.
    function auctionExpired(uint256 realizationId) external;

    /// @notice Writes a record off, more than seven days after its seizure. Only the admin.
    function handleLiquidationTimeout(uint256 realizationId) external;

    /// @notice Lets the fund cover a sale below the floor value. Only the admin.
    function countersignSale(uint256 realizationId) external;

    /* EXTENSIONS */

    /// @notice Only `ISSUER_ROLE`.
    function proposeExtension(ExtensionKind kind, uint256 loanId, uint256 newDueAt)
        external
        returns (uint256 proposalId);

    /// @notice Within seven days of the proposal. Only the admin.
    function confirmExtension(uint256 proposalId) external;

    /// @notice Applies a page of at most 200 loans of a confirmed batch. Anyone.
    function applyExtension(uint256 proposalId, uint256[] calldata loanIds) external returns (uint256 count);

    /// @notice Only `ISSUER_ROLE` or the admin.
    function cancelExtension(uint256 proposalId) external;

    /* SETTINGS */

    /// @notice Only `ISSUER_ROLE`.
    function setConfig(MarketConfig calldata newConfig) external;

    /// @notice For new loans. Only `ISSUER_ROLE`.
    function setTermConfig(uint256 maxLoanDuration_, uint256 gracePeriod, uint256 terminalDueAt, uint256 termPenaltyBps)
        external;

    /// @notice Holds back from borrowers, never from providers. Only `ISSUER_ROLE`.
    function setReserveRatio(uint256 newRatioBps) external;

    /// @notice Only the admin, as are all settings below except the operator's own wallet.
    function setAllowExtension(bool isAllowed) external;

    function setIdentityGates(address borrowerRegistry, address providerRegistry) external;

    /// @notice Takes a venue that the factory verified for this market, while no auction is open.
    function setAuctionModule(address newModule) external;

    function setInsuranceFund(address newFund) external;

    function setVaultLiquidity(bool isEnabled) external;

    function registerVault(address vault) external;

    function deregisterVault(address vault) external;

    /// @notice Stops new money in and out to borrowers. Repayment and withdrawal of liquidity go on.
    function pause() external;

    function unpause() external;

    /// @notice Only the operator wallet itself.
    function setOperatorFeeRecipient(address newRecipient) external;

    /* SWEEPS */

    /// @notice Pays booked fees to where they are fixed to go. Anyone; a contract that provides sweeps for itself.
    function sweepInfrastructureFees() external returns (uint256 amount);

    function sweepOperatorFees() external returns (uint256 amount);

    function sweepDistributorFees(address provider) external returns (uint256 amount);

    function sweepProtocolFees() external returns (uint256 amount);

    /* BOOKS */

    /// @notice Settles interest and takes over the model's rate. Anyone.
    function syncRate() external;

    /// @notice Emits a point of the history series. Anyone.
    function pokeSnapshot() external;

    /* VIEWS */

    function pool() external view returns (PoolView memory);

    function parts() external view returns (MarketParts memory);

    function config() external view returns (MarketConfig memory);

    function termConfig() external view returns (TermConfig memory);

    function loan(uint256 loanId) external view returns (LoanView memory);

    /// @notice Threshold and penalty of one loan: as agreed at its opening or last draw, or better ones of today. Zeros for
    /// a loan that there is not.
    function loanTerms(uint256 loanId) external view returns (uint256 thresholdBps, uint256 penaltyBps);

    /// @notice 1e18 is the border. The largest number for a loan without debt. At the stored price, fresh or not.
    function healthFactor(uint256 loanId) external view returns (uint256);

    /// @notice At the stored price; knows no liquidity, cap or minimum.
    function maxBorrow(uint256 collateral) external view returns (uint256);

    /// @notice What all loans of a borrower hold, as a cap counts it.
    function collateralOf(address borrower) external view returns (uint256);

    /// @notice Whose collateral a loan holds, and how much of it, as of the last call on the loan. Adapters that keep no
    /// record of their own go by it; it knows no loans from before version 3 that nobody acted on since.
    function pledgeOf(uint256 loanId) external view returns (address borrower, uint256 collateral);

    function realization(uint256 realizationId) external view returns (Realization memory);

    function arrearsOf(uint256 loanId) external view returns (Arrears memory);

    function extension(uint256 proposalId) external view returns (ExtensionProposal memory);

    function sharesOf(address provider) external view returns (uint256);

    function toAssets(uint256 shares) external view returns (uint256);

    function distributorFeesPayable(address provider) external view returns (uint256);

    function surplusOf(address borrower) external view returns (uint256);

    function vaults() external view returns (address[] memory);

    function flatFees() external view returns (uint256 openFee, uint256 repayFee);

    function reserveRatioBps() external view returns (uint256);

    function minInitialDeposit() external view returns (uint256);

    function maxLoanDuration() external view returns (uint256);

    function isPaused() external view returns (bool);

    function useVaultLiquidity() external view returns (bool);

    function isMarketPriced() external view returns (bool);

    function router() external view returns (address);

    function auctionModule() external view returns (address);

    /// @notice Smallest units of a whole collateral token.
    function collateralScale() external view returns (uint256);

    function operatorFeeRecipient() external view returns (address);

    function platformWallet() external view returns (address);

    /// @notice Capabilities: history series, terms stamped per loan, auction cash held on the record.
    function isInstrumented() external pure returns (bool);

    function stampsLoanTerms() external pure returns (bool);

    function holdsVenueProceeds() external pure returns (bool);
}
