// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle, SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {Loan, LoanRecord, LoanStatus, LoanTerms} from "../interfaces/MarketTypes.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";

/// @notice The second slot of a loan, in memory.
struct Debt {
    uint256 principal;
    uint256 index;
    uint256 dueAt;
    uint256 termsId;
    uint256 state;
}

/// @notice The books of one loan, shared by loans and realizations.
library LoanLib {
    using CastLib for uint256;

    /// @dev Two bits of a loan's `state` are its status, the others say what has to be looked up besides its record.
    uint8 private constant STATUS = 3;
    /// @dev The collateral is a share that may be split.
    uint8 internal constant FOLLOWS_SPLITS = 4;
    uint8 internal constant HAS_PAYEE = 8;
    /// @dev The loan carries its own rate.
    uint8 internal constant IS_STAMPED = 16;
    uint8 internal constant HAS_INTEREST = 32;

    /// @dev Draws leave the rest of the table to settings, so that no borrower can use it up.
    uint256 private constant MOST_TERMS = type(uint16).max;
    uint256 private constant MOST_TERMS_OF_DRAWS = 60_000;

    /* RECORDS */

    /// @notice The record of a loan, to act on. One of an earlier version is taken over first.
    function at(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = s.book[loanId];
        if (loan.state != 0 || s.loans[loanId].status == LoanStatus.NONE) return loan;
        (LoanRecord memory record, LoanTerms memory terms) = _fromEarlier(s, loanId);
        record.termsId = _termsId(s, terms, MOST_TERMS);
        s.book[loanId] = record;
        delete s.loans[loanId];
    }

    /// @notice The record of a loan and what it agreed to, to read.
    function read(MarketStorage storage s, uint256 loanId)
        internal
        view
        returns (LoanRecord memory loan, LoanTerms memory terms)
    {
        loan = s.book[loanId];
        if (loan.state == 0) return _fromEarlier(s, loanId);
        terms = s.loanTerms[loan.termsId];
    }

    /// @dev Writes the two slots of a new loan. Everything has been checked to fit.
    function create(
        LoanRecord storage loan,
        uint256 collateral,
        uint256 principal,
        uint256 index,
        uint256 dueAt,
        uint256 termsId,
        uint256 state
    ) internal {
        uint256 second = principal | index << 104 | dueAt << 200 | termsId << 232 | state << 248;
        assembly ("memory-safe") {
            sstore(loan.slot, or(caller(), shl(160, collateral)))
            sstore(add(loan.slot, 1), second)
        }
    }

    /// @dev Threshold and penalty are those that were in force when the market moved onto version 3.
    function _fromEarlier(MarketStorage storage s, uint256 loanId)
        private
        view
        returns (LoanRecord memory loan, LoanTerms memory terms)
    {
        Loan memory earlier = s.loans[loanId];
        if (earlier.status == LoanStatus.NONE) return (loan, terms);
        loan.borrower = earlier.borrower;
        loan.collateral = uint256(earlier.collateral).u96();
        loan.principal = uint256(earlier.principal).u104();
        loan.index = earlier.index;
        loan.dueAt = dueAtDown(earlier.dueAt);
        loan.interest = earlier.interest;
        loan.state = uint8(earlier.status) | (s.payees[loanId] == address(0) ? 0 : HAS_PAYEE)
            | (earlier.rateBps == 0 ? 0 : IS_STAMPED) | (earlier.interest == 0 ? 0 : HAS_INTEREST);
        bool isChanged = s.earlierThresholdBps != 0;
        terms.liquidationThresholdBps = isChanged ? s.earlierThresholdBps : s.liquidationThresholdBps;
        terms.liquidationPenaltyBps = isChanged ? s.earlierPenaltyBps : s.liquidationPenaltyBps;
        // forge-lint: disable-next-line(unsafe-typecast)
        terms.gracePeriod = uint24(earlier.gracePeriod);
        terms.termPenaltyBps = earlier.termPenaltyBps;
        terms.rateBps = earlier.rateBps;
        terms.minBorrowUnits = earlier.minBorrowUnits;
    }

    function statusOf(LoanRecord storage loan) internal view returns (LoanStatus) {
        return LoanStatus(loan.state & STATUS);
    }

    function statusIn(uint8 state) internal pure returns (LoanStatus) {
        return LoanStatus(state & STATUS);
    }

    function setStatus(LoanRecord storage loan, LoanStatus status) internal {
        loan.state = (loan.state & ~STATUS) | uint8(status);
    }

    function isMarked(LoanRecord storage loan, uint8 mark) internal view returns (bool) {
        return loan.state & mark != 0;
    }

    /// @notice A maturity as a loan keeps it.
    function dueAtDown(uint256 dueAt) internal pure returns (uint32) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return dueAt < type(uint32).max ? uint32(dueAt) : type(uint32).max;
    }

    /* SPLITS */

    /// @notice Brings the loan's collateral up to the splits of a share.
    /// @return pricedSince A price has to be newer than this second; 0: any fresh one will do.
    function follow(MarketStorage storage s, uint256 loanId, LoanRecord storage loan)
        internal
        returns (uint256 pricedSince)
    {
        if (!isMarked(loan, FOLLOWS_SPLITS)) return 0;
        uint256 amount;
        (amount, pricedSince) = ICollateralAdapter(s.adapter).follow(loanId);
        uint256 before = loan.collateral;
        if (amount <= before) return pricedSince;
        loan.collateral = amount.u96();
        s.totalCollateral = (s.totalCollateral + amount - before).u128();
        s.collateralOf[loan.borrower] += amount - before;
        emit IMarketEvents.CollateralSplit(loanId, before, amount);
    }

    /// @notice The price for a call that values collateral. One from before a split values other shares.
    function priceSince(MarketStorage storage s, SignedPrice calldata signedPrice, uint256 pricedSince)
        internal
        returns (uint256 price)
    {
        ISecurityPriceOracle oracle = ISecurityPriceOracle(s.oracle);
        price = oracle.refresh(signedPrice);
        if (pricedSince == 0) return price;
        uint256 updatedAt = oracle.updatedAt();
        require(updatedAt > pricedSince, IMarketErrors.PriceBeforeSplit(updatedAt, pricedSince));
    }

    /* TERMS */

    /// @notice What the loan agreed to.
    function termsOf(MarketStorage storage s, uint256 termsId) internal view returns (LoanTerms storage) {
        return s.loanTerms[termsId];
    }

    /// @notice The stamped rate; 0: variable.
    function rateOf(MarketStorage storage s, Debt memory d) internal view returns (uint256) {
        return d.state & IS_STAMPED == 0 ? 0 : termsOf(s, d.termsId).rateBps;
    }

    /// @notice The threshold of the loan: as agreed, or a better one of today.
    function thresholdOf(MarketStorage storage s, uint256 agreedBps) internal view returns (uint256) {
        uint256 current = s.liquidationThresholdBps;
        return agreedBps > current ? agreedBps : current;
    }

    /// @notice The penalty of the loan: as agreed, or a better one of today.
    function penaltyOf(MarketStorage storage s, uint256 agreedBps) internal view returns (uint256) {
        uint256 current = s.liquidationPenaltyBps;
        return agreedBps < current ? agreedBps : current;
    }

    /// @notice Makes the row that loans of today agree to.
    function refreshTerms(MarketStorage storage s) internal returns (uint16 termsId) {
        LoanTerms memory terms;
        terms.liquidationThresholdBps = s.liquidationThresholdBps;
        terms.liquidationPenaltyBps = s.liquidationPenaltyBps;
        // forge-lint: disable-next-line(unsafe-typecast)
        terms.gracePeriod = uint24(s.terms.gracePeriod);
        terms.termPenaltyBps = s.terms.termPenaltyBps;
        terms.rateBps = PoolLib.stampBps(PoolLib.load(s)).u16();
        terms.minBorrowUnits = _minBorrowUnitsUp(s);
        termsId = _termsId(s, terms, MOST_TERMS);
        s.books.termsId = termsId;
    }

    /// @notice Whoever draws agrees to the threshold and the penalty of today.
    function agree(MarketStorage storage s, Debt memory d) internal {
        LoanTerms memory terms = termsOf(s, d.termsId);
        (uint16 thresholdBps, uint16 penaltyBps) = (s.liquidationThresholdBps, s.liquidationPenaltyBps);
        if (terms.liquidationThresholdBps == thresholdBps && terms.liquidationPenaltyBps == penaltyBps) return;
        (terms.liquidationThresholdBps, terms.liquidationPenaltyBps) = (thresholdBps, penaltyBps);
        d.termsId = _termsId(s, terms, MOST_TERMS_OF_DRAWS);
    }

    function _termsId(MarketStorage storage s, LoanTerms memory terms, uint256 most) private returns (uint16) {
        uint256 row = terms.liquidationThresholdBps | uint256(terms.liquidationPenaltyBps) << 16
            | uint256(terms.gracePeriod) << 32 | uint256(terms.termPenaltyBps) << 56 | uint256(terms.rateBps) << 72
            | uint256(terms.minBorrowUnits) << 88;
        uint256 id = s.termsIds[row];
        if (id == 0) {
            id = uint256(s.termsCounter) + 1;
            require(id <= most, IMarketErrors.TooManyTerms());
            s.termsCounter = id.u16();
            s.loanTerms[id] = terms;
            s.termsIds[row] = id;
        }
        return id.u16();
    }

    /* BOOKS */

    /// @notice What a loan owes and what is marked in it, to be changed and saved.
    function debtOf(LoanRecord storage loan) internal view returns (Debt memory d) {
        uint256 word;
        assembly ("memory-safe") {
            word := sload(add(loan.slot, 1))
        }
        d.principal = word & type(uint104).max;
        d.index = word >> 104 & type(uint96).max;
        d.dueAt = word >> 200 & type(uint32).max;
        d.termsId = word >> 232 & type(uint16).max;
        d.state = word >> 248;
    }

    function save(LoanRecord storage loan, Debt memory d) internal {
        require(d.principal >> 104 | d.index >> 96 == 0, IMarketErrors.BooksOverflow());
        uint256 word = d.principal | d.index << 104 | d.dueAt << 200 | d.termsId << 232 | d.state << 248;
        assembly ("memory-safe") {
            sstore(add(loan.slot, 1), word)
        }
    }

    /// @notice The loan's unpaid interest.
    /// @param b The market's books, up to now.
    function interestOf(MarketStorage storage s, Books memory b, LoanRecord storage loan, Debt memory d)
        internal
        view
        returns (uint256 interest)
    {
        interest = InterestLib.loanInterestUp(d.principal, _indexDelta(b.index, d.index, rateOf(s, d)));
        if (d.state & HAS_INTEREST != 0) interest += loan.interest;
    }

    /// @notice As `interestOf`, of a record that was read.
    function interestIn(LoanRecord memory loan, uint256 rateBps, uint256 index) internal view returns (uint256) {
        uint256 stampedBps = loan.state & IS_STAMPED == 0 ? 0 : rateBps;
        return loan.interest + InterestLib.loanInterestUp(loan.principal, _indexDelta(index, loan.index, stampedBps));
    }

    /// @dev Since `settledAt`, which is an index, or a second for a stamped rate.
    function _indexDelta(uint256 index, uint256 settledAt, uint256 rateBps) private view returns (uint256) {
        if (rateBps == 0) return index - settledAt;
        return rateBps * InterestLib.WAD_PER_BPS * InterestLib.elapsed(settledAt, block.timestamp);
    }

    /// @notice Draws on a variable loan.
    /// @param owed Its interest, which stays what it is.
    function draw(
        MarketStorage storage s,
        Books memory b,
        LoanRecord storage loan,
        Debt memory d,
        uint256 amount,
        uint256 owed
    ) internal {
        uint256 product = d.principal * (b.index - d.index);
        d.principal += amount;
        _keepInterest(b, loan, d, product, owed);
        PoolLib.lend(s, b, amount, 0);
    }

    /// @notice Takes debt off the loan and the pool's books.
    /// @param owed All of its interest.
    function reduce(
        MarketStorage storage s,
        Books memory b,
        LoanRecord storage loan,
        Debt memory d,
        uint256 principal,
        uint256 interest,
        uint256 owed
    ) internal {
        if (principal != 0) PoolLib.unlend(s, b, principal, rateOf(s, d));
        if (interest == owed) {
            d.principal -= principal;
            _settle(b, loan, d, 0);
        } else if (d.state & IS_STAMPED != 0) {
            d.principal -= principal;
            _settle(b, loan, d, owed - interest);
        } else {
            uint256 product = d.principal * (b.index - d.index);
            uint256 paid = interest * (InterestLib.WAD * InterestLib.YEAR);
            d.principal -= principal;
            _keepInterest(b, loan, d, product > paid ? product - paid : 0, owed - interest);
        }
        if (interest != 0) PoolLib.dropInterest(b, interest);
    }

    /// @dev Open interest moves with the index: exactly the same amount then is interest on the principal since another
    /// index, rounded up. Where it would not be the same amount, it is written down.
    function _keepInterest(Books memory b, LoanRecord storage loan, Debt memory d, uint256 product, uint256 owed)
        private
    {
        if (d.state & HAS_INTEREST == 0 && d.principal != 0) {
            uint256 delta = InterestLib.indexDeltaUp(d.principal, product);
            if (delta <= b.index && InterestLib.loanInterestUp(d.principal, delta) == owed) {
                d.index = b.index - delta;
                return;
            }
        }
        _settle(b, loan, d, owed);
    }

    /// @dev Writes interest down, and lets more of it begin now.
    function _settle(Books memory b, LoanRecord storage loan, Debt memory d, uint256 owed) private {
        if (owed != 0) {
            loan.interest = owed.u120();
            d.state |= HAS_INTEREST;
        } else if (d.state & HAS_INTEREST != 0) {
            loan.interest = 0;
            d.state ^= HAS_INTEREST;
        }
        if (d.state & IS_STAMPED == 0) d.index = b.index;
        else if (block.timestamp > d.index) d.index = block.timestamp;
    }

    /// @notice Takes collateral off the loan's and the market's books.
    function reduceCollateral(MarketStorage storage s, LoanRecord storage loan, uint256 amount) internal {
        loan.collateral = (loan.collateral - amount).u96();
        s.totalCollateral = (s.totalCollateral - amount).u128();
        s.collateralOf[loan.borrower] -= amount;
    }

    /// @notice Ends a loan without debt. The caller gives `collateral` back.
    function close(MarketStorage storage s, uint256 loanId, LoanRecord storage loan)
        internal
        returns (uint256 collateral)
    {
        collateral = loan.collateral;
        if (collateral != 0) reduceCollateral(s, loan, collateral);
        setStatus(loan, LoanStatus.CLOSED);
        s.activeLoans = uint256(s.activeLoans - 1).u48();
        emit IMarketEvents.LoanClosed(loanId, collateral);
    }

    /// @dev The minimum of now as a loan keeps it.
    function _minBorrowUnitsUp(MarketStorage storage s) private view returns (uint24) {
        uint256 unit = 10 ** s.assetDecimals;
        uint256 units = (s.minBorrowAmount + unit - 1) / unit;
        // forge-lint: disable-next-line(unsafe-typecast)
        return units < type(uint24).max ? uint24(units) : type(uint24).max;
    }

    /// @notice Whether a debt is claimed whole. A higher minimum must not switch the close factor off.
    function isSmall(MarketStorage storage s, uint256 debt, uint256 minBorrowUnits) internal view returns (bool) {
        return debt <= s.minBorrowAmount && debt <= minBorrowUnits * 10 ** s.assetDecimals;
    }

    /// @notice The later of the loan's own maturity and the market's floor; 0 without a maturity.
    function effectiveDueAt(MarketStorage storage s, uint256 dueAt) internal view returns (uint256) {
        if (dueAt == 0) return 0;
        uint256 floor = s.terms.dueFloor;
        return dueAt > floor ? dueAt : floor;
    }

    /// @notice As `requireOpen`, with what the loan owes.
    function openDebt(MarketStorage storage s, uint256 loanId)
        internal
        returns (LoanRecord storage loan, Debt memory d)
    {
        loan = s.book[loanId];
        d = debtOf(loan);
        if (d.state == 0) d = debtOf(at(s, loanId));
        _checkOpen(statusIn(uint8(d.state)), loanId);
    }

    /// @notice A loan that its borrower or a liquidator may act on.
    function requireOpen(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = at(s, loanId);
        _checkOpen(statusOf(loan), loanId);
    }

    function _checkOpen(LoanStatus status, uint256 loanId) private pure {
        require(status != LoanStatus.NONE, IMarketErrors.LoanNotFound(loanId));
        require(status != LoanStatus.CLOSED, IMarketErrors.LoanNotActive(loanId));
    }

    function requireUnlocked(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = requireOpen(s, loanId);
        require(statusOf(loan) == LoanStatus.ACTIVE, IMarketErrors.LoanInAuction(loanId));
    }

    function requireBorrower(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = requireUnlocked(s, loanId);
        require(loan.borrower == msg.sender, IMarketErrors.NotBorrower(loanId, msg.sender));
    }
}
