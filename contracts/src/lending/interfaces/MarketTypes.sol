// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @param collateralFactorBps What collateral carries when money is drawn.
/// @param liquidationThresholdBps Below it a loan may be realized.
/// @param protocolFeeBps The insurance fund's part of interest after the other fees; for what accrues from now on.
/// @param minBorrowAmount Debts up to it are claimed whole, of open loans only if it is no higher than at their opening.
/// @param maxTotalCollateral 0: no cap.
/// @param maxUserCollateral Over all loans of a borrower. 0: no cap.
struct MarketConfig {
    uint16 collateralFactorBps;
    uint16 liquidationThresholdBps;
    uint16 liquidationPenaltyBps;
    uint16 protocolFeeBps;
    uint16 closeFactorBps;
    bool useDutchAuction;
    uint24 auctionDuration;
    uint16 auctionStartBps;
    uint16 auctionMinBps;
    uint128 minBorrowAmount;
    uint128 maxTotalCollateral;
    uint128 maxUserCollateral;
}

/// @param maxLoanDuration Seconds; 0: loans have no term of their own.
/// @param gracePeriod Seconds between maturity and realization.
/// @param terminalDueAt The market's last day; 0: none.
/// @param dueFloor No loan with a maturity matures earlier. Only rises.
/// @param latestDueAt The latest maturity ever stamped. Only rises.
struct TermConfig {
    uint32 maxLoanDuration;
    uint32 gracePeriod;
    uint40 terminalDueAt;
    uint40 dueFloor;
    uint40 latestDueAt;
    uint16 termPenaltyBps;
    bool isExtensionAllowed;
}

enum LoanStatus {
    NONE,
    ACTIVE,
    IN_AUCTION,
    CLOSED
}

/// @notice A loan as markets up to version 2 kept it. It moves into `LoanRecord` when it is next acted on.
/// @param dueAt 0: no maturity.
/// @param index Variable loans: the market's index up to which `interest` is settled; stamped loans: the second.
/// @param rateBps The stamped rate; 0: variable.
/// @param minBorrowUnits The minimum at the opening, in whole units rounded up: up to it the debt is claimed whole.
struct Loan {
    address borrower;
    uint40 dueAt;
    uint32 gracePeriod;
    uint16 termPenaltyBps;
    LoanStatus status;
    uint128 principal;
    uint128 collateral;
    uint120 interest;
    uint96 index;
    uint16 rateBps;
    uint24 minBorrowUnits;
}

/// @notice A loan. An opening writes two slots, a payment that covers the interest one.
/// @param index Variable loans: the market's index from which interest is open; stamped loans: the second.
/// @param dueAt 0: no maturity. At the latest in the year 2106.
/// @param termsId The row of `LoanTerms` that was agreed.
/// @param state A `LoanStatus` in two bits, and the marks of `LoanLib`.
/// @param interest Interest besides that since `index`. Marked in `state` if there is any.
struct LoanRecord {
    address borrower;
    uint96 collateral;

    uint104 principal;
    uint96 index;
    uint32 dueAt;
    uint16 termsId;
    uint8 state;

    uint120 interest;
}

/// @notice What loans agree to, once for all loans that agreed to the same.
/// @param liquidationThresholdBps Of the opening or the last draw: the loan keeps it, or a higher one of today.
/// @param liquidationPenaltyBps Of the same time: the loan keeps it, or a lower one of today.
/// @param gracePeriod Of the opening, as all below; only loans with a maturity have one.
/// @param rateBps The stamped rate; only of loans that are marked as stamped.
/// @param minBorrowUnits The minimum, in whole units rounded up: up to it the debt is claimed whole.
struct LoanTerms {
    uint16 liquidationThresholdBps;
    uint16 liquidationPenaltyBps;
    uint24 gracePeriod;
    uint16 termPenaltyBps;
    uint16 rateBps;
    uint24 minBorrowUnits;
}

enum RealizationStatus {
    NONE,
    OPEN,
    SETTLED,
    WRITTEN_OFF
}

/// @notice One seizure: the only record that decides what its cash is for.
/// @param claim The part of the debt that the seized collateral has to pay.
/// @param principalOwed The part of the claim that is principal; recovery covers it first.
/// @param totalDebt The whole debt at the seizure: the most that bears a penalty.
/// @param floorValue What the seized collateral was worth at the floor price, or the most that fits.
/// @param carried What the pool counts the open claim at.
/// @param insurancePart The insurance fund's part of the interest in the claim, 1e12 is all.
/// @param held Cash of auction fills that waits for the settlement.
/// @param recovered Cash that went to the claim.
/// @param covered What the insurance fund paid towards the claim.
/// @param advanced What the fund paid for this record in all.
/// @param keptPenalty Penalty that the pool kept.
/// @param beyond Debt beyond the claim: written off at the seizure, or paid by this record's cash.
struct Realization {
    uint48 loanId;
    uint40 seizedAt;
    uint16 penaltyBps;
    RealizationStatus status;
    bool isTerm;
    bool isAuction;
    bool isCountersigned;
    uint120 claim;
    uint104 principalOwed;
    uint120 totalDebt;
    uint104 floorValue;
    uint104 carried;
    uint40 insurancePart;
    uint128 held;
    uint128 recovered;
    uint128 covered;
    uint128 advanced;
    uint128 keptPenalty;
    uint128 beyond;
    uint128 principalRecovered;
}

/// @notice What the realizations of a loan left unpaid. Nothing of a sale is the borrower's before it.
/// @param lost What the pool bears: residuals, and claims of closed records.
/// @param advanced What the insurance fund paid and did not get back.
struct Arrears {
    uint128 lost;
    uint128 advanced;
}

enum ExtensionKind {
    LOAN,
    BATCH,
    FLOOR
}

/// @param maxLoanId `BATCH`: the last loan that was open when it was proposed.
/// @param cursor `BATCH`: loans up to this one are done.
struct ExtensionProposal {
    ExtensionKind kind;
    bool isConfirmed;
    bool isConsumed;
    uint40 newDueAt;
    uint40 proposedAt;
    uint48 loanId;
    uint48 maxLoanId;
    uint48 cursor;
}

/// @notice What `LendingFactory.deployMarket` wires a market with.
struct MarketSetup {
    address asset;
    address collateralToken;
    uint8 collateralDecimals;
    address oracle;
    address model;
    address fund;
    address adapter;
    address router;
    address borrowerRegistry;
    bool isMarketPriced;
    uint256 openFee;
    uint256 repayFee;
    uint32 maxLoanDuration;
    uint32 gracePeriod;
    uint40 terminalDueAt;
}

enum RealizationMode {
    UNDECLARED,
    EXCHANGE_SALE,
    ISSUER_REDEMPTION,
    AUCTION
}

/// @notice What the lender of record signs when it adopts a market.
/// @param maxFixedRateBps 0: no ceiling.
/// @param borrowerRegistry Installed when the market has none; nominees only.
/// @param liquidator Zero: the signer.
/// @param vault Zero: none.
/// @param assetDataHash Zero: nothing is acknowledged.
struct CuratorTerms {
    address admin;
    address issuer;
    address collateralAgent;
    address saleRecipient;
    address liquidationOperator;
    address oracleOwner;
    address priceSigner;
    RealizationMode realizationMode;
    uint256 liquidityCommitment;
    uint16 maxFixedRateBps;
    address borrowerRegistry;
    address providerRegistry;
    address liquidator;
    address vault;
    bytes32 assetDataHash;
}
