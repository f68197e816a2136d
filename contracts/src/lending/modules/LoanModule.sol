// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord} from "../interfaces/MarketTypes.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {BorrowModule} from "./BorrowModule.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Repaying, closing, and moving collateral of open loans.
library LoanModule {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;

    /// @param amount The most the payer gives; never more than closes the loan is taken.
    /// @return paid What was taken, the fee included.
    function repay(MarketStorage storage s, uint256 loanId, uint256 amount) external returns (uint256 paid) {
        LoanRecord storage loan = LoanLib.requireOpen(s, loanId);
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        LoanLib.follow(s, loanId, loan);
        PoolLib.accrue(s);
        uint256 interest = LoanLib.settle(s, loan);
        uint256 debt = loan.principal + interest;
        require(debt != 0, IMarketErrors.NoOutstandingDebt(loanId));
        uint256 discharged;
        uint256 fee;
        (paid, discharged, fee) = _measure(s.repayFee, debt, amount);
        require(discharged != 0, IMarketErrors.InvalidAmount(amount));

        {
            uint256 interestPaid = discharged < interest ? discharged : interest;
            uint256 principalPaid = discharged - interestPaid;
            LoanLib.reduce(s, loan, principalPaid, interestPaid);
            s.cash = (s.cash + principalPaid).u128();
            PoolLib.bookInterestCash(s, interestPaid, s.insurancePart);
            emit IMarketEvents.LoanRepaid(loanId, msg.sender, principalPaid, interestPaid);
        }
        if (fee != 0) {
            PoolLib.bookFlatFee(s, fee);
            emit IMarketEvents.RepayFeeCharged(loanId, fee);
        }
        PoolLib.refreshRate(s);
        uint256 collateral = discharged == debt ? LoanLib.close(s, loanId, loan) : 0;

        IERC20(s.asset).pullExact(msg.sender, paid);
        if (collateral != 0) ICollateralAdapter(s.adapter).release(loanId, collateral);
    }

    function closeLoan(MarketStorage storage s, uint256 loanId) external {
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        LoanLib.follow(s, loanId, loan);
        PoolLib.accrue(s);
        uint256 debt = LoanLib.settle(s, loan) + loan.principal;
        require(debt == 0, IMarketErrors.DebtOutstanding(loanId, debt));
        uint256 collateral = LoanLib.close(s, loanId, loan);
        if (collateral != 0) ICollateralAdapter(s.adapter).release(loanId, collateral);
    }

    function addCollateral(MarketStorage storage s, uint256 loanId, uint256 amount) external {
        LoanRecord storage loan = LoanLib.requireBorrower(s, loanId);
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        LoanLib.follow(s, loanId, loan);
        BorrowModule.addCollateral(s, msg.sender, amount);
        loan.collateral = (loan.collateral + amount).u96();
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
        PoolLib.accrue(s);
        uint256 debt = LoanLib.settle(s, loan) + loan.principal;
        LoanLib.reduceCollateral(s, loan, amount);
        if (debt != 0) {
            require(!s.isPaused, IMarketErrors.MarketIsPaused());
            uint256 price = LoanLib.priceSince(s, signedPrice, pricedSince);
            uint256 health = HealthLib.healthFactorDown(
                locked - amount,
                price,
                10 ** s.collateralDecimals,
                LoanLib.thresholdOf(s, loan.liquidationThresholdBps),
                debt
            );
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

    /// @dev The fee comes out of the payment first; what closes the loan is debt + fee on the debt.
    function _measure(uint256 flatFee, uint256 debt, uint256 amount)
        private
        pure
        returns (uint256 paid, uint256 discharged, uint256 fee)
    {
        fee = FeeSplitLib.flatFeeDown(flatFee, debt);
        if (amount >= debt + fee) return (debt + fee, debt, fee);
        fee = FeeSplitLib.feeInsidePaymentDown(flatFee, amount);
        discharged = amount - fee;
        if (discharged > debt) discharged = debt;
        return (amount, discharged, amount - discharged);
    }
}
