// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode, RateTerms} from "../interfaces/IInterestRateModel.sol";
import {
    Arrears,
    ExtensionProposal,
    Loan,
    LoanRecord,
    LoanTerms,
    Realization,
    TermConfig
} from "../interfaces/MarketTypes.sol";

/// @notice The storage of a market. Lines between blank lines share a slot: what one operation needs lies together.
/// Versions before 3 kept the books of the pool in the places that say so; `PoolLib` moves them once.
/// @custom:storage-location erc7201:tallystick.storage.LendingMarket
struct MarketStorage {
    address oracle;
    uint16 collateralFactorBps;
    uint16 liquidationThresholdBps;
    uint16 liquidationPenaltyBps;
    uint16 closeFactorBps;
    bool isPaused;
    bool useDutchAuction;
    /// @dev What the market has not, in bits of `AbsenceLib`.
    uint8 absent;
    /// @dev `collateralDecimals` and one, beside the oracle whose price it is needed with. 0: not copied yet.
    uint8 decimalsUp;

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

    /// @dev Before version 3, as all down to `interestScaled`.
    uint128 cash;
    uint128 totalShares;

    uint128 totalPrincipal;
    uint128 variablePrincipal;

    uint96 index;
    uint40 accruedAt;
    uint64 rateWad;
    uint40 insurancePart;

    uint136 interestScaled;
    /// @dev Sum of principal x stamped rate.
    uint120 stampedPrincipalBps;

    /// @dev What open claims of realizations are counted at.
    uint128 carriedClaims;
    /// @dev Cash of auction fills, not the pool's yet.
    uint128 heldProceeds;

    /// @dev Fees of before version 3, and what was too much for `fees`.
    uint128 infrastructureFees;
    uint128 operatorFees;

    uint128 distributorFees;
    /// @dev Before version 3, as `rates`.
    uint128 distributorPerShare;

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
    /// @dev Of every open loan, whether or not there is a cap: one that is set later holds for them as well.
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
    uint16 termsCounter;

    mapping(uint256 termsId => LoanTerms) loanTerms;
    /// @dev By everything in the row.
    mapping(uint256 row => uint256 termsId) termsIds;

    BookSlots books;
    Issue issue;
    FeeBook fees;
}

/// @notice What every operation on the pool changes, in three slots. `PoolLib` reads and writes them as a whole.
/// @param insurancePart The insurance fund's part of `interestScaled`: the mean of the rates at which it accrued.
/// @param interestScaled Interest of all open loans, not yet paid, scaled by `InterestLib.POOL_SCALE`. Stays at its most
/// rather than stop every call.
/// @param termsId The row that a loan of today agrees to; 0: not made yet.
/// @param index Sum of the variable rate x seconds.
/// @param perShare Fees of distributors for one share since ever, scaled by `PoolLib.PER_SHARE_SCALE`.
/// @param accruedAt 0: the books are still where versions before 3 kept them.
struct BookSlots {
    uint112 cash;
    uint104 totalPrincipal;
    uint40 insurancePart;

    uint104 variablePrincipal;
    uint136 interestScaled;
    uint16 termsId;

    uint96 index;
    uint128 perShare;
    uint32 accruedAt;
}

/// @notice `BookSlots` in memory.
/// @param issue The slot of `Issue`.
struct Books {
    uint256 cash;
    uint256 totalPrincipal;
    uint256 insurancePart;
    uint256 variablePrincipal;
    uint256 interestScaled;
    uint256 termsId;
    uint256 index;
    uint256 perShare;
    uint256 accruedAt;
    uint256 issue;
}

/// @notice What the operations of borrowers only read: the shares, and a copy of the model's terms, since asking it on every
/// operation would be a tenth of the cost.
struct Issue {
    uint128 totalShares;
    uint16 baseBps;
    uint16 multiplierBps;
    uint24 jumpBps;
    uint16 kinkBps;
    RateMode mode;
    uint16 floorBps;
    uint16 capBps;
    uint16 fixedBps;
}

/// @notice Fees that nobody swept yet. What does not fit goes to the wider fields of the market.
struct FeeBook {
    uint88 infrastructure;
    uint88 operator;
    uint80 distributor;
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
