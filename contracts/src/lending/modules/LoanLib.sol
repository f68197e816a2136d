// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle, SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {Loan, LoanRecord, LoanStatus} from "../interfaces/MarketTypes.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";

/// @notice The books of one loan, shared by loans and realizations.
library LoanLib {
    using CastLib for uint256;

    /* RECORDS */

    /// @notice The record of a loan, to act on. One of an earlier version is taken over first.
    function at(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = s.book[loanId];
        if (loan.status != LoanStatus.NONE || s.loans[loanId].status == LoanStatus.NONE) return loan;
        s.book[loanId] = _fromEarlier(s, loanId);
        delete s.loans[loanId];
    }

    /// @notice The record of a loan, to read.
    function read(MarketStorage storage s, uint256 loanId) internal view returns (LoanRecord memory loan) {
        loan = s.book[loanId];
        if (loan.status == LoanStatus.NONE) return _fromEarlier(s, loanId);
    }

    /// @dev Threshold and penalty are those that were in force when the market moved onto version 3.
    function _fromEarlier(MarketStorage storage s, uint256 loanId) private view returns (LoanRecord memory loan) {
        Loan memory earlier = s.loans[loanId];
        if (earlier.status == LoanStatus.NONE) return loan;
        loan.borrower = earlier.borrower;
        loan.dueAt = earlier.dueAt;
        // forge-lint: disable-next-line(unsafe-typecast)
        loan.gracePeriod = uint24(earlier.gracePeriod);
        loan.termPenaltyBps = earlier.termPenaltyBps;
        loan.status = earlier.status;
        loan.principal = uint256(earlier.principal).u104();
        loan.collateral = uint256(earlier.collateral).u96();
        bool isChanged = s.earlierThresholdBps != 0;
        loan.liquidationThresholdBps = isChanged ? s.earlierThresholdBps : s.liquidationThresholdBps;
        loan.liquidationPenaltyBps = isChanged ? s.earlierPenaltyBps : s.liquidationPenaltyBps;
        loan.minBorrowUnits = earlier.minBorrowUnits;
        loan.interest = earlier.interest;
        loan.index = earlier.index;
        loan.rateBps = earlier.rateBps;
    }

    /* SPLITS */

    /// @notice Brings the loan's collateral up to the splits of a share.
    /// @return pricedSince A price has to be newer than this second; 0: any fresh one will do.
    function follow(MarketStorage storage s, uint256 loanId, LoanRecord storage loan)
        internal
        returns (uint256 pricedSince)
    {
        if (!loan.followsSplits) return 0;
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

    /* BOOKS */

    /// @notice Interest on `principal` since `settledAt`, which is an index, or a second for a stamped rate.
    function pendingInterestUp(uint256 principal, uint256 rateBps, uint256 settledAt, uint256 index)
        internal
        view
        returns (uint256)
    {
        uint256 delta = rateBps == 0
            ? index - settledAt
            : rateBps * InterestLib.WAD_PER_BPS * InterestLib.elapsed(settledAt, block.timestamp);
        return InterestLib.loanInterestUp(principal, delta);
    }

    /// @notice Settles the loan's interest up to now.
    function settle(MarketStorage storage s, LoanRecord storage loan) internal returns (uint256 interest) {
        uint256 index = s.index;
        interest = loan.interest + pendingInterestUp(loan.principal, loan.rateBps, loan.index, index);
        loan.interest = interest.u120();
        if (loan.rateBps == 0) loan.index = index.u96();
        else if (block.timestamp > loan.index) loan.index = block.timestamp.u96();
    }

    function addPrincipal(MarketStorage storage s, LoanRecord storage loan, uint256 amount) internal {
        loan.principal = (loan.principal + amount).u104();
        s.totalPrincipal = PoolLib.checkedPrincipal(s.totalPrincipal + amount);
        uint256 rateBps = loan.rateBps;
        if (rateBps == 0) s.variablePrincipal = (s.variablePrincipal + amount).u128();
        else s.stampedPrincipalBps = (s.stampedPrincipalBps + amount * rateBps).u120();
    }

    /// @notice Takes debt off the loan and the pool's books. The loan has to be settled.
    function reduce(MarketStorage storage s, LoanRecord storage loan, uint256 principal, uint256 interest) internal {
        if (principal != 0) {
            loan.principal = (loan.principal - principal).u104();
            uint256 rateBps = loan.rateBps;
            (s.totalPrincipal, s.variablePrincipal) =
            ((s.totalPrincipal - principal).u128(), (s.variablePrincipal - (rateBps == 0 ? principal : 0)).u128());
            if (rateBps != 0) s.stampedPrincipalBps = (s.stampedPrincipalBps - principal * rateBps).u120();
        }
        if (interest != 0) {
            loan.interest = (loan.interest - interest).u120();
            PoolLib.dropInterest(s, interest);
        }
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
        loan.status = LoanStatus.CLOSED;
        // Nothing is left to realize: the whole slot is given back.
        (loan.liquidationThresholdBps, loan.liquidationPenaltyBps, loan.followsSplits) = (0, 0, false);
        s.activeLoans = uint256(s.activeLoans - 1).u48();
        emit IMarketEvents.LoanClosed(loanId, collateral);
    }

    /// @notice The minimum of now as a loan keeps it.
    function minBorrowUnitsUp(MarketStorage storage s) internal view returns (uint24) {
        uint256 unit = 10 ** s.assetDecimals;
        uint256 units = (s.minBorrowAmount + unit - 1) / unit;
        // forge-lint: disable-next-line(unsafe-typecast)
        return units < type(uint24).max ? uint24(units) : type(uint24).max;
    }

    /// @notice The largest debt that is claimed whole. A higher minimum must not switch the close factor off.
    function smallDebt(MarketStorage storage s, LoanRecord storage loan) internal view returns (uint256 amount) {
        uint256 current = s.minBorrowAmount;
        amount = loan.minBorrowUnits * 10 ** s.assetDecimals;
        if (amount > current) amount = current;
    }

    /// @notice The later of the loan's own maturity and the market's floor; 0 without a maturity.
    function effectiveDueAt(MarketStorage storage s, uint256 dueAt) internal view returns (uint256) {
        if (dueAt == 0) return 0;
        uint256 floor = s.terms.dueFloor;
        return dueAt > floor ? dueAt : floor;
    }

    /// @notice A loan that its borrower or a liquidator may act on.
    function requireOpen(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = at(s, loanId);
        LoanStatus status = loan.status;
        require(status != LoanStatus.NONE, IMarketErrors.LoanNotFound(loanId));
        require(status != LoanStatus.CLOSED, IMarketErrors.LoanNotActive(loanId));
    }

    function requireUnlocked(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = requireOpen(s, loanId);
        require(loan.status == LoanStatus.ACTIVE, IMarketErrors.LoanInAuction(loanId));
    }

    function requireBorrower(MarketStorage storage s, uint256 loanId) internal returns (LoanRecord storage loan) {
        loan = requireUnlocked(s, loanId);
        require(loan.borrower == msg.sender, IMarketErrors.NotBorrower(loanId, msg.sender));
    }
}
