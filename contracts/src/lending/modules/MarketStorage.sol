// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateTerms} from "../interfaces/IInterestRateModel.sol";
import {Arrears, ExtensionProposal, Loan, LoanRecord, Realization, TermConfig} from "../interfaces/MarketTypes.sol";

/// @notice The storage of a market. Lines between blank lines share a slot: what one operation needs lies together.
/// @custom:storage-location erc7201:tallystick.storage.LendingMarket
struct MarketStorage {
    address oracle;
    uint16 collateralFactorBps;
    uint16 liquidationThresholdBps;
    uint16 liquidationPenaltyBps;
    uint16 closeFactorBps;
    bool isPaused;
    bool useDutchAuction;

    address adapter;
    uint16 reserveRatioBps;
    uint24 auctionDuration;
    uint16 auctionStartBps;
    uint16 auctionMinBps;
    bool useVaultLiquidity;
    bool isMarketPriced;

    address model;
    uint8 assetDecimals;
    uint8 collateralDecimals;
    uint80 openFee;

    address asset;
    uint80 repayFee;
    uint16 protocolFeeBps;

    address borrowerRegistry;
    uint48 loanCounter;
    uint48 activeLoans;

    /// @dev Zero until the market has its lender of record.
    address operator;
    uint32 epoch;

    uint128 minBorrowAmount;
    uint128 totalCollateral;

    uint128 maxTotalCollateral;
    uint128 maxUserCollateral;

    TermConfig terms;

    uint128 cash;
    uint128 totalShares;

    uint128 totalPrincipal;
    uint128 variablePrincipal;

    uint96 index;
    uint40 accruedAt;
    uint64 rateWad;
    /// @dev The insurance fund's part of `interestScaled`: the mean of the rates at which it accrued.
    uint40 insurancePart;

    /// @dev Interest of all open loans, not yet paid, scaled by `InterestLib.POOL_SCALE`. Stays at its most rather than
    /// stop every call.
    uint136 interestScaled;
    /// @dev Sum of principal x stamped rate.
    uint120 stampedPrincipalBps;

    /// @dev What open claims of realizations are counted at.
    uint128 carriedClaims;
    /// @dev Cash of auction fills, not the pool's yet.
    uint128 heldProceeds;

    uint128 infrastructureFees;
    uint128 operatorFees;

    uint128 distributorFees;
    uint128 distributorPerShare;

    /// @dev A copy of the model's: asking it on every operation would be a tenth of the cost.
    RateTerms rates;

    uint128 protocolFees;
    uint128 escrowedSurplus;

    address router;
    uint48 realizationCounter;
    uint48 proposalCounter;

    address auctionModule;
    uint48 openAuctions;

    address fund;

    address providerRegistry;

    address collateralToken;

    /// @dev Loans of versions before 3 that nobody acted on since.
    mapping(uint256 loanId => Loan) loans;
    mapping(uint256 loanId => address) payees;
    mapping(address borrower => uint256) collateralOf;
    mapping(address provider => Position) positions;
    mapping(uint256 epoch => uint256) epochEndPerShare;
    mapping(uint256 realizationId => Realization) realizations;
    mapping(uint256 proposalId => ExtensionProposal) proposals;
    mapping(address borrower => uint256) surplusOf;
    address[] vaults;
    mapping(address vault => uint256) vaultPosition;
    mapping(uint256 loanId => Arrears) arrears;

    mapping(uint256 loanId => LoanRecord) book;

    /// @dev In force before the first setting of version 3: what the loans of earlier versions were opened under. 0: still
    /// in force.
    uint16 earlierThresholdBps;
    uint16 earlierPenaltyBps;
}

/// @param perShare `distributorPerShare` up to which `owedFees` is settled.
struct Position {
    uint128 shares;
    uint32 epoch;
    uint128 perShare;
    uint128 owedFees;
}

/// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.LendingMarket")) - 1)) & ~bytes32(uint256(0xff))
bytes32 constant MARKET_SLOT = 0x85bbc8e231fdaaa918f65b12f17a42b3da14be589161030e5fe28008e7197b00;

function marketStorage() pure returns (MarketStorage storage s) {
    assembly ("memory-safe") {
        s.slot := MARKET_SLOT
    }
}
