// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IInsuranceFund} from "../interfaces/IInsuranceFund.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {Loan, LoanStatus, Realization, RealizationStatus} from "../interfaces/MarketTypes.sol";
import {BoundedTransferLib} from "../libraries/BoundedTransferLib.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {WaterfallLib} from "../libraries/WaterfallLib.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
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
        WaterfallLib.Legs memory legs = _distribute(s, id, r, cash);
        uint256 covered;
        if (legs.toClaim < r.claim) {
            uint256 gap = WaterfallLib.coverableGap(r.claim, cash, r.floorValue, r.isCountersigned);
            covered = coverClaim(s, id, r, gap);
        }
        emit IMarketEvents.RealizationSettled(
            id, cash, covered, r.principalOwed - r.principalRecovered, legs.penalty, legs.recovered
        );
    }

    /// @notice Cash for a record that is closed already: the pool up to the claim, then the fund.
    function settleLate(MarketStorage storage s, uint256 id, Realization storage r, uint256 cash) internal {
        WaterfallLib.Legs memory legs = _distribute(s, id, r, cash);
        emit IMarketEvents.LateProceeds(id, cash, legs.toClaim, legs.toFund);
    }

    /// @notice The write-off: the fund is asked for the whole claim, then auction cash counts as late.
    function writeOff(MarketStorage storage s, uint256 id, Realization storage r) internal {
        r.status = RealizationStatus.WRITTEN_OFF;
        _dropCarried(s, r);
        uint256 covered = coverClaim(s, id, r, r.claim);
        emit IMarketEvents.RealizationWrittenOff(id, r.claim, covered);
        uint256 held = takeHeld(s, r);
        if (held != 0) settleLate(s, id, r, held);
    }

    /// @notice Asks the fund for a part of the claim.
    function coverClaim(MarketStorage storage s, uint256 id, Realization storage r, uint256 amount)
        internal
        returns (uint256 covered)
    {
        covered = drawFund(s, id, amount);
        if (covered == 0) return 0;
        r.covered = (r.covered + covered).u128();
        r.advanced = (r.advanced + covered).u128();
        _bookClaimCash(s, r, covered);
    }

    /// @notice What the fund pays. One that is empty, or does not list the market, pays nothing and blocks nothing.
    /// @dev A caller cannot make a funded fund fail by giving too little gas.
    function drawFund(MarketStorage storage s, uint256 id, uint256 amount) internal returns (uint256 covered) {
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

    function _distribute(MarketStorage storage s, uint256 id, Realization storage r, uint256 cash)
        private
        returns (WaterfallLib.Legs memory legs)
    {
        if (cash == 0) return legs;
        Loan storage loan = s.loans[r.loanId];
        bool isOpen = loan.status != LoanStatus.CLOSED;
        uint256 loanDebt = isOpen ? LoanLib.settle(s, loan) + loan.principal : 0;
        legs = WaterfallLib.split(cash, _rooms(r, loanDebt));
        if (legs.toClaim != 0) {
            r.recovered = (r.recovered + legs.toClaim).u128();
            _bookClaimCash(s, r, legs.toClaim);
        }
        if (legs.toFund != 0) {
            // The fund gets it with the next sweep: a fund that refuses must not block a settlement.
            r.advanced = (r.advanced - legs.toFund).u128();
            s.protocolFees = (s.protocolFees + legs.toFund).u128();
        }
        if (legs.penalty != 0) r.keptPenalty = (r.keptPenalty + legs.penalty).u128();
        uint256 beyond = legs.debtApplied + legs.recovered;
        if (beyond != 0) r.keptBeyond = (r.keptBeyond + beyond).u128();
        s.cash = (s.cash + legs.penalty + legs.recovered).u128();
        if (legs.debtApplied != 0) _applyToLoan(s, id, r.loanId, loan, legs.debtApplied);
        if (legs.surplus != 0) _paySurplus(s, r.loanId, loan.borrower, legs.surplus);
    }

    function _rooms(Realization storage r, uint256 loanDebt) private view returns (WaterfallLib.Rooms memory rooms) {
        uint256 claim = r.claim;
        uint256 totalDebt = r.totalDebt;
        uint256 claimPenalty = WaterfallLib.penaltyDown(claim, r.penaltyBps);
        rooms.claimOpen = claim - r.recovered - r.covered;
        rooms.advancedOpen = r.advanced;
        rooms.penaltyRoom = claimPenalty - r.keptPenalty;
        rooms.debtRoom =
            totalDebt + WaterfallLib.penaltyDown(totalDebt, r.penaltyBps) - claim - claimPenalty - r.keptBeyond;
        rooms.loanDebt = loanDebt;
    }

    /// @dev Principal first; only what is beyond it is interest and bears fees.
    function _bookClaimCash(MarketStorage storage s, Realization storage r, uint256 amount) private {
        uint256 open = r.principalOwed - r.principalRecovered;
        uint256 principal = amount < open ? amount : open;
        if (principal != 0) {
            r.principalRecovered = (r.principalRecovered + principal).u128();
            s.cash = (s.cash + principal).u128();
        }
        PoolLib.bookInterestCash(s, amount - principal, r.insurancePart);
    }

    function _applyToLoan(MarketStorage storage s, uint256 id, uint256 loanId, Loan storage loan, uint256 amount)
        private
    {
        uint256 principal = amount < loan.principal ? amount : loan.principal;
        LoanLib.reduce(s, loan, principal, amount - principal);
        s.cash = (s.cash + principal).u128();
        PoolLib.bookInterestCash(s, amount - principal, s.insurancePart);
        emit IMarketEvents.LiquidationDebtApplied(loanId, id, amount);
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
