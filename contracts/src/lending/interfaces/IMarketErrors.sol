// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Every way a market itself can refuse a call.
interface IMarketErrors {
    error NotFactory(address account);
    error MarketPendingCurator();
    error AlreadyAdopted();
    error MarketIsPaused();
    error MarketTermExpired(uint256 terminalDueAt);
    error LoanPastDue(uint256 loanId, uint256 dueAt);
    error NoSuccessor(address wallet);
    error PriceBeforeSplit(uint256 updatedAt, uint256 pricedSince);
    error InvalidAmount(uint256 amount);
    error InvalidConfig(bytes32 field);
    error ConfigChangeTooLarge(bytes32 field);
    error InvalidTermConfig(bytes32 field);
    error TermsRequiredByFixedRate();
    error AuctionModuleNotSet();
    error AuctionUnsupported();
    error AuctionModuleMismatch(address module);
    error AuctionsOpen(uint256 count);

    error NotProvider(address account);
    error BelowInitialDeposit(uint256 amount, uint256 minimum);
    error InsufficientShares(uint256 shares, uint256 held);
    error InsufficientLiquidity(uint256 requested, uint256 available);

    error LoanNotFound(uint256 loanId);
    error LoanNotActive(uint256 loanId);
    error LoanInAuction(uint256 loanId);
    error NotBorrower(uint256 loanId, address account);
    error BelowMinBorrow(uint256 amount, uint256 minimum);
    error ExceedsMaxBorrow(uint256 debt, uint256 maximum);
    error SupplyCapExceeded(uint256 collateral, uint256 cap);
    error UserSupplyCapExceeded(uint256 collateral, uint256 cap);
    error NotVerified(address account);
    error PayeeNotVerified(address payee);
    error PayeeNotAllowed(address payee);
    error FixedRateLoan(uint256 loanId);
    error NoOutstandingDebt(uint256 loanId);
    error DebtOutstanding(uint256 loanId, uint256 debt);
    error InsufficientCollateral(uint256 amount, uint256 locked);
    error WouldBreachHealth(uint256 healthFactor);

    error LoanStillHealthy(uint256 loanId, uint256 healthFactor);
    error NotRouter(address account);
    error NotVenue(address account);
    error RealizationNotFound(uint256 realizationId);
    error RealizationClosed(uint256 realizationId);
    error NotTimedOut(uint256 eligibleAt);
    error FundNeedsMoreGas();
    error SaleNeedsMoreGas();
    error NotItself(address account);

    error ExtensionNotAllowed();
    error TermsNotEnabled();
    error InvalidExtension(uint256 newDueAt, uint256 currentDueAt);
    error ExtensionNotFound(uint256 proposalId);
    error ExtensionConsumed(uint256 proposalId);
    error ExtensionExpired(uint256 proposalId);
    error ExtensionAlreadyConfirmed(uint256 proposalId);
    error ExtensionNotConfirmed(uint256 proposalId);
    error ExtensionNotBatch(uint256 proposalId);
    error ExtensionPageTooLong(uint256 length);
    error ExtensionLoanOutOfScope(uint256 loanId, uint256 maxLoanId);

    error NothingToSweep();
    error ProviderCollectsItself(address provider);
    error NotOperator(address account);
    error RegisterRequired();
    error VaultAlreadyRegistered(address vault);
    error VaultNotRegistered(address vault);
    error TooManyVaults(uint256 max);
    error VaultAssetMismatch(address vault);
    error TooManyTerms();
    error BooksOverflow();
}
