// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {IInsuranceFund} from "../interfaces/IInsuranceFund.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {Arrears, LoanRecord, Realization, RealizationStatus} from "../interfaces/MarketTypes.sol";
import {BoundedTransferLib} from "../libraries/BoundedTransferLib.sol";
import {WaterfallLib} from "../libraries/WaterfallLib.sol";
import {Debt, LoanLib} from "./LoanLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Books the cash of realizations. The market has to be accrued, the cash to have arrived.
library SettlementLib {
    using CastLib for uint256;

    uint256 private constant FUND_GAS = 300_000;
    uint256 private constant FUND_GAS_RESERVE = 200_000;

    /// @notice First settlement: the fund is asked for what is missing, the pool bears the rest.
    function settleFirst(MarketStorage storage s, uint256 id, Realization storage r, uint256 cash) internal {
        r.status = RealizationStatus.SETTLED;
        _dropCarried(s, r);
        WaterfallLib.Legs memory legs = _distribute(s, id, r, cash, false);
        uint256 covered;
        if (legs.toClaim < r.claim) {
            uint256 gap = WaterfallLib.coverableGap(r.claim, cash, r.floorValue, r.isCountersigned);
            covered = _coverClaim(s, id, r, gap);
        }
        emit IMarketEvents.RealizationSettled(
            id, cash, covered, r.principalOwed - r.principalRecovered, legs.penalty, legs.recovered + legs.lastPenalty
        );
    }

    /// @notice Cash for a record that is closed already: the pool up to the claim, then the fund.
    function settleLate(MarketStorage storage s, uint256 id, Realization storage r, uint256 cash) internal {
        WaterfallLib.Legs memory legs = _distribute(s, id, r, cash, true);
        emit IMarketEvents.LateProceeds(id, cash, legs.toClaim, legs.toFund);
    }

    /// @notice The write-off: the fund is asked for the whole claim, then auction cash counts as late.
    function writeOff(MarketStorage storage s, uint256 id, Realization storage r) internal {
        r.status = RealizationStatus.WRITTEN_OFF;
        _dropCarried(s, r);
        uint256 covered = _coverClaim(s, id, r, r.claim);
        emit IMarketEvents.RealizationWrittenOff(id, r.claim, covered);
        uint256 held = takeHeld(s, r);
        if (held != 0) settleLate(s, id, r, held);
    }

    /// @notice Asks the fund for a part of the claim; the pool loses what is still missing.
    function _coverClaim(MarketStorage storage s, uint256 id, Realization storage r, uint256 amount)
        private
        returns (uint256 covered)
    {
        covered = _drawFund(s, id, amount);
        uint256 missing = r.claim - r.recovered - covered;
        if (covered != 0) r.covered = covered.u128();
        bookLoss(s, r, missing, covered);
        Books memory b = PoolLib.load(s);
        _bookClaimCash(s, b, r, covered);
        PoolLib.save(s, b);
    }

    /// @notice Asks the fund for a residual that is booked as lost. All of what it pays is the pool's: nobody owes it any
    /// more, so that it bears no fees.
    function coverResidual(MarketStorage storage s, uint256 id, Realization storage r, uint256 residual) internal {
        Arrears storage arrears = s.arrears[r.loanId];
        // A sale in the same call may have brought a part.
        uint256 lost = arrears.lost;
        uint256 covered = _drawFund(s, id, residual < lost ? residual : lost);
        if (covered != 0) {
            arrears.lost = (lost - covered).u128();
            bookLoss(s, r, 0, covered);
            Books memory b = PoolLib.load(s);
            b.cash += covered;
            PoolLib.save(s, b);
        }
        emit IMarketEvents.WrittenOffAtSeizure(id, residual, covered);
    }

    function bookLoss(MarketStorage storage s, Realization storage r, uint256 lost, uint256 advanced) internal {
        if (lost == 0 && advanced == 0) return;
        Arrears storage arrears = s.arrears[r.loanId];
        (arrears.lost, arrears.advanced) = ((arrears.lost + lost).u128(), (arrears.advanced + advanced).u128());
        if (advanced != 0) r.advanced = (r.advanced + advanced).u128();
    }

    /// @notice What the fund pays. One that is empty, or does not list the market, pays nothing and blocks nothing.
    /// @dev A caller cannot make a funded fund fail by giving too little gas.
    function _drawFund(MarketStorage storage s, uint256 id, uint256 amount) private returns (uint256 covered) {
        if (amount == 0) return 0;
        address fund = s.fund;
        require(gasleft() > FUND_GAS + FUND_GAS_RESERVE, IMarketErrors.FundNeedsMoreGas());
        try IInsuranceFund(fund).coverableFor{gas: FUND_GAS / 3}(address(this)) returns (uint256 coverable) {
            if (coverable != 0) {
                require(gasleft() > FUND_GAS + FUND_GAS / 63 + 50_000, IMarketErrors.FundNeedsMoreGas());
                IERC20 asset = IERC20(s.asset);
                uint256 before = asset.balanceOf(address(this));
                try IInsuranceFund(fund).coverLoss{gas: FUND_GAS}(amount) {} catch {}
                covered = asset.balanceOf(address(this)) - before;
                if (covered > amount) covered = amount;
            }
        } catch {}
        emit IMarketEvents.ReserveDrawn(id, amount, covered);
    }

    /// @notice Takes the cash of auction fills out of escrow.
    function takeHeld(MarketStorage storage s, Realization storage r) internal returns (uint256 held) {
        held = r.held;
        if (held == 0) return 0;
        r.held = 0;
        s.heldProceeds = (s.heldProceeds - held).u128();
    }

    /// @param isLate Whether the open rest of the claim is among what the pool lost.
    function _distribute(MarketStorage storage s, uint256 id, Realization storage r, uint256 cash, bool isLate)
        private
        returns (WaterfallLib.Legs memory legs)
    {
        if (cash == 0) return legs;
        Books memory b = PoolLib.load(s);
        LoanRecord storage loan = LoanLib.at(s, r.loanId);
        Arrears storage arrears = s.arrears[r.loanId];
        // A closed loan owes nothing.
        Debt memory d = LoanLib.debtOf(loan);
        uint256 owed = LoanLib.interestOf(s, b, loan, d);
        legs = WaterfallLib.split(cash, _rooms(r, arrears, owed + d.principal, isLate));
        if (legs.toClaim != 0) {
            r.recovered = (r.recovered + legs.toClaim).u128();
            _bookClaimCash(s, b, r, legs.toClaim);
        }
        if (legs.toFund != 0) {
            // The fund gets it with the next sweep: a fund that refuses must not block a settlement.
            arrears.advanced = (arrears.advanced - legs.toFund).u128();
            s.protocolFees = (s.protocolFees + legs.toFund).u128();
        }
        uint256 penalty = legs.penalty + legs.lastPenalty;
        if (penalty != 0) r.keptPenalty = (r.keptPenalty + penalty).u128();
        uint256 found = legs.recovered + (isLate ? legs.toClaim : 0);
        if (found != 0) arrears.lost = (arrears.lost - found).u128();
        b.cash += penalty + legs.recovered;
        if (legs.debtApplied != 0) {
            r.beyond = (r.beyond + legs.debtApplied).u128();
            _applyToLoan(s, b, loan, d, legs.debtApplied, owed);
            emit IMarketEvents.LiquidationDebtApplied(r.loanId, id, legs.debtApplied);
        }
        PoolLib.save(s, b);
        if (legs.surplus != 0) _paySurplus(s, r.loanId, loan.borrower, legs.surplus);
    }

    function _rooms(Realization storage r, Arrears storage arrears, uint256 loanDebt, bool isLate)
        private
        view
        returns (WaterfallLib.Rooms memory rooms)
    {
        uint256 claim = r.claim;
        rooms.claimOpen = claim - r.recovered - r.covered;
        rooms.advancedOpen = arrears.advanced;
        rooms.lostOpen = arrears.lost;
        if (isLate) {
            // Another sale of the loan may have made up for it.
            if (rooms.claimOpen > rooms.lostOpen) rooms.claimOpen = rooms.lostOpen;
            rooms.lostOpen -= rooms.claimOpen;
        }
        rooms.loanDebt = loanDebt;
        (rooms.penaltyRoom, rooms.lastPenaltyRoom) =
            WaterfallLib.penaltyRooms(claim, r.beyond + loanDebt, r.totalDebt, r.penaltyBps, r.keptPenalty);
    }

    /// @dev Principal first; only what is beyond it is interest and bears fees.
    function _bookClaimCash(MarketStorage storage s, Books memory b, Realization storage r, uint256 amount) private {
        uint256 open = r.principalOwed - r.principalRecovered;
        uint256 principal = amount < open ? amount : open;
        if (principal != 0) {
            r.principalRecovered = (r.principalRecovered + principal).u128();
            b.cash += principal;
        }
        PoolLib.bookInterestCash(s, b, amount - principal, r.insurancePart);
    }

    /// @dev Principal first.
    function _applyToLoan(
        MarketStorage storage s,
        Books memory b,
        LoanRecord storage loan,
        Debt memory d,
        uint256 amount,
        uint256 owed
    ) private {
        uint256 principal = amount < d.principal ? amount : d.principal;
        LoanLib.reduce(s, b, loan, d, principal, amount - principal, owed);
        LoanLib.save(loan, d);
        b.cash += principal;
        PoolLib.bookInterestCash(s, b, amount - principal, b.insurancePart);
    }

    /// @dev A borrower whom the asset refuses must not block a settlement.
    function _paySurplus(MarketStorage storage s, uint256 loanId, address borrower, uint256 amount) private {
        if (BoundedTransferLib.tryTransfer(s.asset, borrower, amount)) {
            emit IMarketEvents.SurplusReturned(loanId, borrower, amount);
            return;
        }
        s.surplusOf[borrower] += amount;
        s.escrowedSurplus = (s.escrowedSurplus + amount).u128();
        emit IMarketEvents.SurplusEscrowed(loanId, borrower, amount);
    }

    function _dropCarried(MarketStorage storage s, Realization storage r) private {
        s.carriedClaims -= r.carried;
        r.carried = 0;
    }
}
