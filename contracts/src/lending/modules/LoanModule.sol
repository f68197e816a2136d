// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ExactTransferLib} from "../../libraries/ExactTransferLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord} from "../interfaces/MarketTypes.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {AbsenceLib} from "./AbsenceLib.sol";
import {BorrowModule} from "./BorrowModule.sol";
import {Debt, LoanLib} from "./LoanLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Repaying, closing, and moving collateral of open loans.
library LoanModule {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;

    /// @param amount The most the payer gives; never more than closes the loan is taken.
    /// @return paid What was taken, the fee included.
    function repay(MarketStorage storage s, uint256 loanId, uint256 amount) external returns (uint256 paid) {
        (LoanRecord storage loan, Debt memory d) = LoanLib.openDebt(s, loanId);
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        if (d.state & LoanLib.FOLLOWS_SPLITS != 0) LoanLib.follow(s, loanId, loan);
        uint256 collateral;
        {
            Books memory b = PoolLib.open(s);
            uint256 interest = LoanLib.interestOf(s, b, loan, d);
            uint256 debt = d.principal + interest;
            require(debt != 0, IMarketErrors.NoOutstandingDebt(loanId));
            uint256 discharged;
            uint256 fee;
            (paid, discharged, fee) = _measure(s.repayFee, debt, amount);
            require(discharged != 0, IMarketErrors.InvalidAmount(amount));
            _book(s, b, loanId, loan, d, discharged, interest);
            if (fee != 0) {
                PoolLib.bookFlatFee(s, b, fee);
                emit IMarketEvents.RepayFeeCharged(loanId, fee);
            }
            PoolLib.save(s, b);
            if (discharged == debt) collateral = LoanLib.close(s, loanId, loan);
        }

        IERC20(s.asset).pullExact(msg.sender, paid);
        if (collateral != 0) ICollateralAdapter(s.adapter).release(loanId, collateral);
    }

    function closeLoan(MarketStorage storage s, uint256 loanId) external {
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        LoanLib.follow(s, loanId, loan);
        uint256 debt = _debt(s, loan);
        require(debt == 0, IMarketErrors.DebtOutstanding(loanId, debt));
        uint256 collateral = LoanLib.close(s, loanId, loan);
        if (collateral != 0) ICollateralAdapter(s.adapter).release(loanId, collateral);
    }

    function addCollateral(MarketStorage storage s, uint256 loanId, uint256 amount) external {
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        LoanLib.follow(s, loanId, loan);
        BorrowModule.addCollateral(s, loan, amount);
        emit IMarketEvents.CollateralAdded(loanId, amount, loan.collateral);
        ICollateralAdapter(s.adapter).lock(loanId, msg.sender, amount);
    }

    function withdrawCollateral(
        MarketStorage storage s,
        uint256 loanId,
        uint256 amount,
        SignedPrice calldata signedPrice
    ) external {
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        uint256 pricedSince = LoanLib.follow(s, loanId, loan);
        uint256 locked = loan.collateral;
        require(amount != 0 && amount <= locked, IMarketErrors.InsufficientCollateral(amount, locked));
        uint256 debt = _debt(s, loan);
        LoanLib.reduceCollateral(s, loan, amount);
        if (debt != 0) {
            require(!s.isPaused, IMarketErrors.MarketIsPaused());
            uint256 price = LoanLib.priceSince(s, signedPrice, pricedSince);
            uint256 thresholdBps = LoanLib.thresholdOf(s, LoanLib.termsOf(s, loan.termsId).liquidationThresholdBps);
            uint256 health =
                HealthLib.healthFactorDown(locked - amount, price, AbsenceLib.collateralScale(s), thresholdBps, debt);
            require(health >= 1e18, IMarketErrors.WouldBreachHealth(health));
        }
        emit IMarketEvents.CollateralWithdrawn(loanId, amount, locked - amount);
        ICollateralAdapter(s.adapter).release(loanId, amount);
    }

    function rebindPledge(MarketStorage storage s, uint256 loanId, address newWallet) external {
        LoanRecord storage loan = LoanLib.requireOpen(s, loanId);
        LoanLib.follow(s, loanId, loan);
        (address lostWallet,) = ICollateralAdapter(s.adapter).rebind(loanId, newWallet);
        uint256 collateral = loan.collateral;
        s.collateralOf[loan.borrower] -= collateral;
        s.collateralOf[newWallet] += collateral;
        loan.borrower = newWallet;
        emit IMarketEvents.LoanRebound(loanId, lostWallet, newWallet);
    }

    /// @dev Books interest up to now.
    function _debt(MarketStorage storage s, LoanRecord storage loan) private returns (uint256) {
        Books memory b = PoolLib.open(s);
        PoolLib.save(s, b);
        Debt memory d = LoanLib.debtOf(loan);
        return d.principal + LoanLib.interestOf(s, b, loan, d);
    }

    /// @dev Interest first.
    function _book(
        MarketStorage storage s,
        Books memory b,
        uint256 loanId,
        LoanRecord storage loan,
        Debt memory d,
        uint256 discharged,
        uint256 owed
    ) private {
        uint256 interest = discharged < owed ? discharged : owed;
        uint256 principal = discharged - interest;
        LoanLib.reduce(s, b, loan, d, principal, interest, owed);
        LoanLib.save(loan, d);
        b.cash += principal;
        PoolLib.bookInterestCash(s, b, interest, b.insurancePart);
        emit IMarketEvents.LoanRepaid(loanId, msg.sender, principal, interest);
    }

    /// @dev The fee comes out of the payment first; what closes the loan is debt + fee on the debt.
    function _measure(uint256 flatFee, uint256 debt, uint256 amount)
        private
        pure
        returns (uint256 paid, uint256 discharged, uint256 fee)
    {
        if (flatFee == 0) return amount < debt ? (amount, amount, 0) : (debt, debt, 0);
        fee = FeeSplitLib.flatFeeDown(flatFee, debt);
        if (amount >= debt + fee) return (debt + fee, debt, fee);
        fee = FeeSplitLib.feeInsidePaymentDown(flatFee, amount);
        discharged = amount - fee;
        if (discharged > debt) discharged = debt;
        return (amount, discharged, amount - discharged);
    }
}
