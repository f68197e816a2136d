// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISplitFollower} from "../base/interfaces/ISplitFollower.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord, LoanStatus, TermConfig} from "../interfaces/MarketTypes.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {RegisterLib} from "../libraries/RegisterLib.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {VaultDrawLib} from "./VaultDrawLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice Opening loans and drawing more on them.
library BorrowModule {
    using CastLib for uint256;
    using SafeERC20 for IERC20;

    /// @param payee Zero: the borrower.
    function openLoan(
        MarketStorage storage s,
        uint256 collateral,
        uint256 amount,
        address payee,
        SignedPrice calldata signedPrice
    ) external returns (uint256 loanId) {
        _checkLending(s);
        TermConfig memory terms = s.terms;
        require(
            terms.terminalDueAt == 0 || block.timestamp < terms.terminalDueAt,
            IMarketErrors.MarketTermExpired(terms.terminalDueAt)
        );
        require(collateral != 0, IMarketErrors.InvalidAmount(collateral));
        require(amount >= s.minBorrowAmount && amount != 0, IMarketErrors.BelowMinBorrow(amount, s.minBorrowAmount));
        _checkRegister(s, msg.sender, payee);
        (bool followsSplits, uint256 pricedSince) = _splitsOf(s.adapter);
        _checkCapacity(s, amount, collateral, LoanLib.priceSince(s, signedPrice, pricedSince));

        PoolLib.accrue(s);
        _ensureBorrowable(s, amount);
        loanId = s.loanCounter + 1;
        (s.loanCounter, s.activeLoans) = (loanId.u48(), uint256(s.activeLoans + 1).u48());
        addCollateral(s, msg.sender, collateral);
        uint256 fee = _payOut(s, amount);
        LoanRecord memory loan;
        {
            s.totalPrincipal = PoolLib.checkedPrincipal(s.totalPrincipal + amount);
            uint256 stampBps = PoolLib.refreshRate(s);
            if (stampBps == 0) s.variablePrincipal = (s.variablePrincipal + amount).u128();
            else s.stampedPrincipalBps = (s.stampedPrincipalBps + amount * stampBps).u120();
            loan.borrower = msg.sender;
            loan.status = LoanStatus.ACTIVE;
            loan.principal = amount.u104();
            loan.collateral = collateral.u96();
            loan.followsSplits = followsSplits;
            loan.liquidationThresholdBps = s.liquidationThresholdBps;
            loan.liquidationPenaltyBps = s.liquidationPenaltyBps;
            loan.rateBps = stampBps.u16();
            loan.minBorrowUnits = LoanLib.minBorrowUnitsUp(s);
            loan.index = stampBps == 0 ? s.index : block.timestamp.u96();
        }
        _stampTerms(s, loan, terms);
        s.book[loanId] = loan;
        emit IMarketEvents.LoanOpened(loanId, msg.sender, collateral, amount, loan.rateBps, loan.dueAt);
        if (payee != address(0) && payee != msg.sender) {
            _checkPayee(s, payee);
            s.payees[loanId] = payee;
            emit IMarketEvents.LoanPayeeSet(loanId, payee);
        } else {
            payee = msg.sender;
        }
        if (fee != 0) emit IMarketEvents.OpenFeeCharged(loanId, fee);

        ICollateralAdapter(s.adapter).lock(loanId, msg.sender, collateral);
        IERC20(s.asset).safeTransfer(payee, amount - fee);
    }

    function borrowMore(MarketStorage storage s, uint256 loanId, uint256 amount, SignedPrice calldata signedPrice)
        external
    {
        _checkLending(s);
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        require(loan.rateBps == 0, IMarketErrors.FixedRateLoan(loanId));
        _checkTerm(s, loanId, loan.dueAt);
        address payee = s.payees[loanId];
        _checkRegister(s, msg.sender, payee);
        uint256 price = LoanLib.priceSince(s, signedPrice, LoanLib.follow(s, loanId, loan));
        PoolLib.accrue(s);
        uint256 interest = LoanLib.settle(s, loan);
        _checkCapacity(s, loan.principal + interest + amount, loan.collateral, price);

        _ensureBorrowable(s, amount);
        LoanLib.addPrincipal(s, loan, amount);
        // Whoever draws agrees to the terms of today.
        (loan.liquidationThresholdBps, loan.liquidationPenaltyBps) =
        (s.liquidationThresholdBps, s.liquidationPenaltyBps);
        uint256 fee = _payOut(s, amount);
        PoolLib.refreshRate(s);
        emit IMarketEvents.LoanIncreased(loanId, amount, loan.principal);
        if (fee != 0) emit IMarketEvents.OpenFeeCharged(loanId, fee);

        IERC20(s.asset).safeTransfer(payee == address(0) ? msg.sender : payee, amount - fee);
    }

    /// @notice Adds to the market's collateral books, within the caps.
    function addCollateral(MarketStorage storage s, address borrower, uint256 amount) internal {
        uint256 total = s.totalCollateral + amount;
        uint256 mine = s.collateralOf[borrower] + amount;
        (uint256 maxTotal, uint256 maxUser) = (s.maxTotalCollateral, s.maxUserCollateral);
        require(maxTotal == 0 || total <= maxTotal, IMarketErrors.SupplyCapExceeded(total, maxTotal));
        require(maxUser == 0 || mine <= maxUser, IMarketErrors.UserSupplyCapExceeded(mine, maxUser));
        s.totalCollateral = total.u128();
        s.collateralOf[borrower] = mine;
    }

    /// @dev Adapters from before version 3 know no splits.
    function _splitsOf(address adapter) private returns (bool followsSplits, uint256 pricedSince) {
        try ISplitFollower(adapter).followsSplits() returns (bool follows) {
            followsSplits = follows;
        } catch {}
        if (followsSplits) (, pricedSince) = ICollateralAdapter(adapter).follow(0);
    }

    /// @dev The whole amount leaves the pool; the fee of it stays in the market as a liability.
    function _payOut(MarketStorage storage s, uint256 amount) private returns (uint256 fee) {
        s.cash = (s.cash - amount).u128();
        fee = FeeSplitLib.flatFeeDown(s.openFee, amount);
        PoolLib.bookFlatFee(s, fee);
    }

    function _ensureBorrowable(MarketStorage storage s, uint256 amount) private {
        if (PoolLib.borrowable(s) < amount) VaultDrawLib.ensureBorrowable(s, amount);
    }

    function _stampTerms(MarketStorage storage s, LoanRecord memory loan, TermConfig memory terms) private {
        uint256 dueAt = terms.maxLoanDuration == 0 ? terms.terminalDueAt : block.timestamp + terms.maxLoanDuration;
        if (terms.terminalDueAt != 0 && dueAt > terms.terminalDueAt) dueAt = terms.terminalDueAt;
        if (dueAt == 0) return;
        loan.dueAt = dueAt.u40();
        loan.gracePeriod = uint256(terms.gracePeriod).u24();
        loan.termPenaltyBps = terms.termPenaltyBps;
        if (dueAt > terms.latestDueAt) s.terms.latestDueAt = dueAt.u40();
    }

    /// @dev A draw is a new loan in all but name: not on one that is due, nor after the market's last day.
    function _checkTerm(MarketStorage storage s, uint256 loanId, uint256 loanDueAt) private view {
        uint256 dueAt = LoanLib.effectiveDueAt(s, loanDueAt);
        require(dueAt == 0 || block.timestamp <= dueAt, IMarketErrors.LoanPastDue(loanId, dueAt));
        uint256 terminalDueAt = s.terms.terminalDueAt;
        require(terminalDueAt == 0 || block.timestamp < terminalDueAt, IMarketErrors.MarketTermExpired(terminalDueAt));
    }

    function _checkLending(MarketStorage storage s) private view {
        require(s.operator != address(0), IMarketErrors.MarketPendingCurator());
        require(!s.isPaused, IMarketErrors.MarketIsPaused());
    }

    function _checkCapacity(MarketStorage storage s, uint256 debt, uint256 collateral, uint256 price) private view {
        uint256 maximum = HealthLib.capacityDown(collateral, price, 10 ** s.collateralDecimals, s.collateralFactorBps);
        require(debt <= maximum, IMarketErrors.ExceedsMaxBorrow(debt, maximum));
    }

    function _checkRegister(MarketStorage storage s, address borrower, address payee) private view {
        address register = s.borrowerRegistry;
        if (register == address(0)) return;
        require(RegisterLib.isVerified(register, borrower), IMarketErrors.NotVerified(borrower));
        if (payee == address(0) || payee == borrower) return;
        require(RegisterLib.isVerified(register, payee), IMarketErrors.PayeeNotVerified(payee));
    }

    /// @dev Money paid to a part of the market would be nobody's.
    function _checkPayee(MarketStorage storage s, address payee) private view {
        require(
            payee != address(this) && payee != s.router && payee != s.adapter && payee != s.auctionModule
                && payee != s.fund && payee != s.asset,
            IMarketErrors.PayeeNotAllowed(payee)
        );
    }
}
