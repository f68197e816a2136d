// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord, LoanStatus, TermConfig} from "../interfaces/MarketTypes.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {RegisterLib} from "../libraries/RegisterLib.sol";
import {AbsenceLib} from "./AbsenceLib.sol";
import {Debt, LoanLib} from "./LoanLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
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
        TermConfig memory terms;
        if (!AbsenceLib.isAbsent(s, AbsenceLib.TERM)) terms = s.terms;
        require(
            terms.terminalDueAt == 0 || block.timestamp < terms.terminalDueAt,
            IMarketErrors.MarketTermExpired(terms.terminalDueAt)
        );
        require(collateral != 0, IMarketErrors.InvalidAmount(collateral));
        require(amount >= s.minBorrowAmount && amount != 0, IMarketErrors.BelowMinBorrow(amount, s.minBorrowAmount));
        _checkRegister(s, msg.sender, payee);
        (bool followsSplits, uint256 pricedSince) = _splitsOf(s);
        _checkCapacity(s, amount, collateral, LoanLib.priceSince(s, signedPrice, pricedSince));

        Books memory b = _borrowable(s, amount);
        loanId = s.loanCounter + 1;
        (s.loanCounter, s.activeLoans) = (loanId.u48(), uint256(s.activeLoans + 1).u48());
        uint256 fee;
        {
            uint256 stampBps = PoolLib.stampBps(b);
            uint256 state = uint8(LoanStatus.ACTIVE) | (followsSplits ? LoanLib.FOLLOWS_SPLITS : 0)
                | (stampBps == 0 ? 0 : LoanLib.IS_STAMPED)
                | (payee == address(0) || payee == msg.sender ? 0 : LoanLib.HAS_PAYEE);
            _addCollateral(s, msg.sender, collateral);
            fee = _payOut(s, b, amount);
            PoolLib.lend(s, b, amount, stampBps);
            if (b.termsId == 0) b.termsId = LoanLib.refreshTerms(s);
            uint256 dueAt = _stampDueAt(s, terms);
            LoanLib.create(
                s.book[loanId],
                collateral.u96(),
                amount.u104(),
                stampBps == 0 ? b.index : block.timestamp.u96(),
                LoanLib.dueAtDown(dueAt),
                b.termsId,
                state
            );
            PoolLib.save(s, b);
            emit IMarketEvents.LoanOpened(loanId, msg.sender, collateral, amount, stampBps, dueAt);
        }
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
        require(!LoanLib.isMarked(loan, LoanLib.IS_STAMPED), IMarketErrors.FixedRateLoan(loanId));
        _checkTerm(s, loanId, loan.dueAt);
        address payee = LoanLib.isMarked(loan, LoanLib.HAS_PAYEE) ? s.payees[loanId] : address(0);
        _checkRegister(s, msg.sender, payee);
        uint256 fee =
            _draw(s, loanId, loan, amount, LoanLib.priceSince(s, signedPrice, LoanLib.follow(s, loanId, loan)));
        if (fee != 0) emit IMarketEvents.OpenFeeCharged(loanId, fee);

        IERC20(s.asset).safeTransfer(payee == address(0) ? msg.sender : payee, amount - fee);
    }

    function _draw(MarketStorage storage s, uint256 loanId, LoanRecord storage loan, uint256 amount, uint256 price)
        private
        returns (uint256 fee)
    {
        Books memory b = _borrowable(s, amount);
        Debt memory d = LoanLib.debtOf(loan);
        uint256 interest = LoanLib.interestOf(s, b, loan, d);
        _checkCapacity(s, d.principal + interest + amount, loan.collateral, price);

        LoanLib.draw(s, b, loan, d, amount, interest);
        if (d.termsId != b.termsId) LoanLib.agree(s, d);
        fee = _payOut(s, b, amount);
        LoanLib.save(loan, d);
        PoolLib.save(s, b);
        emit IMarketEvents.LoanIncreased(loanId, amount, d.principal);
    }

    /// @notice More collateral for a loan, within the caps.
    function addCollateral(MarketStorage storage s, LoanRecord storage loan, uint256 amount) internal {
        _addCollateral(s, loan.borrower, amount);
        loan.collateral = (loan.collateral + amount).u96();
    }

    function _addCollateral(MarketStorage storage s, address borrower, uint256 amount) private {
        uint256 total = s.totalCollateral + amount;
        uint256 mine = s.collateralOf[borrower] + amount;
        if (!AbsenceLib.isAbsent(s, AbsenceLib.CAPS)) {
            (uint256 maxTotal, uint256 maxUser) = (s.maxTotalCollateral, s.maxUserCollateral);
            require(maxTotal == 0 || total <= maxTotal, IMarketErrors.SupplyCapExceeded(total, maxTotal));
            require(maxUser == 0 || mine <= maxUser, IMarketErrors.UserSupplyCapExceeded(mine, maxUser));
        }
        s.totalCollateral = total.u128();
        s.collateralOf[borrower] = mine;
    }

    function _splitsOf(MarketStorage storage s) private returns (bool followsSplits, uint256 pricedSince) {
        if (AbsenceLib.isAbsent(s, AbsenceLib.SPLITS)) return (false, 0);
        followsSplits = AbsenceLib.followsSplits(s.adapter);
        if (followsSplits) (, pricedSince) = ICollateralAdapter(s.adapter).follow(0);
    }

    /// @dev The whole amount leaves the pool; the fee of it stays in the market as a liability.
    function _payOut(MarketStorage storage s, Books memory b, uint256 amount) private returns (uint256 fee) {
        b.cash -= amount;
        if (AbsenceLib.isAbsent(s, AbsenceLib.OPEN_FEE)) return 0;
        fee = FeeSplitLib.flatFeeDown(s.openFee, amount);
        PoolLib.bookFlatFee(s, b, fee);
    }

    /// @notice The books up to now, of a market that can lend `amount`.
    function _borrowable(MarketStorage storage s, uint256 amount) private returns (Books memory b) {
        b = PoolLib.open(s);
        if (PoolLib.borrowable(s, b) >= amount) return b;
        PoolLib.save(s, b);
        VaultDrawLib.ensureBorrowable(s, amount);
        return PoolLib.load(s);
    }

    function _stampDueAt(MarketStorage storage s, TermConfig memory terms) private returns (uint256 dueAt) {
        dueAt = terms.maxLoanDuration == 0 ? terms.terminalDueAt : block.timestamp + terms.maxLoanDuration;
        if (terms.terminalDueAt != 0 && dueAt > terms.terminalDueAt) dueAt = terms.terminalDueAt;
        if (dueAt > terms.latestDueAt) s.terms.latestDueAt = dueAt.u40();
    }

    /// @dev A draw is a new loan in all but name: not on one that is due, nor after the market's last day.
    function _checkTerm(MarketStorage storage s, uint256 loanId, uint256 loanDueAt) private view {
        uint256 dueAt = LoanLib.effectiveDueAt(s, loanDueAt);
        require(dueAt == 0 || block.timestamp <= dueAt, IMarketErrors.LoanPastDue(loanId, dueAt));
        if (AbsenceLib.isAbsent(s, AbsenceLib.TERM)) return;
        uint256 terminalDueAt = s.terms.terminalDueAt;
        require(terminalDueAt == 0 || block.timestamp < terminalDueAt, IMarketErrors.MarketTermExpired(terminalDueAt));
    }

    function _checkLending(MarketStorage storage s) private view {
        require(
            AbsenceLib.isAbsent(s, AbsenceLib.VACANCY) || s.operator != address(0), IMarketErrors.MarketPendingCurator()
        );
        require(!s.isPaused, IMarketErrors.MarketIsPaused());
    }

    function _checkCapacity(MarketStorage storage s, uint256 debt, uint256 collateral, uint256 price) private view {
        uint256 maximum =
            HealthLib.capacityDown(collateral, price, AbsenceLib.collateralScale(s), s.collateralFactorBps);
        require(debt <= maximum, IMarketErrors.ExceedsMaxBorrow(debt, maximum));
    }

    function _checkRegister(MarketStorage storage s, address borrower, address payee) private view {
        if (AbsenceLib.isAbsent(s, AbsenceLib.BORROWER_REGISTER)) return;
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
