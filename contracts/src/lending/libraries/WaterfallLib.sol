// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Where the cash of a realization goes, in order. The legs add up to the cash, and the borrower comes last.
library WaterfallLib {
    uint256 private constant BPS = 10_000;

    /// @param claimOpen What the pool still misses of the claim.
    /// @param advancedOpen What the insurance fund advanced for the loan and did not get back.
    /// @param penaltyRoom What is left of the penalty on the claim.
    /// @param loanDebt What the loan itself still owes.
    /// @param lostOpen What the pool lost on the loan besides the claim.
    /// @param lastPenaltyRoom What is left of the penalty on the debt beyond the claim, once that is paid.
    struct Rooms {
        uint256 claimOpen;
        uint256 advancedOpen;
        uint256 penaltyRoom;
        uint256 loanDebt;
        uint256 lostOpen;
        uint256 lastPenaltyRoom;
    }

    /// @param toClaim Makes the pool whole.
    /// @param toFund Repays the insurance fund.
    /// @param penalty Pool income: on the claim.
    /// @param debtApplied Pays down what the loan still owes.
    /// @param recovered Makes up for what the pool lost on the loan.
    /// @param lastPenalty Pool income: on the debt beyond the claim.
    /// @param surplus The borrower's.
    struct Legs {
        uint256 toClaim;
        uint256 toFund;
        uint256 penalty;
        uint256 debtApplied;
        uint256 recovered;
        uint256 lastPenalty;
        uint256 surplus;
    }

    function split(uint256 cash, Rooms memory rooms) internal pure returns (Legs memory legs) {
        legs.toClaim = _min(cash, rooms.claimOpen);
        cash -= legs.toClaim;
        legs.toFund = _min(cash, rooms.advancedOpen);
        cash -= legs.toFund;
        legs.penalty = _min(cash, rooms.penaltyRoom);
        cash -= legs.penalty;
        legs.debtApplied = _min(cash, rooms.loanDebt);
        cash -= legs.debtApplied;
        legs.recovered = _min(cash, rooms.lostOpen);
        cash -= legs.recovered;
        legs.lastPenalty = _min(cash, rooms.lastPenaltyRoom);
        legs.surplus = cash - legs.lastPenalty;
    }

    /// @notice The penalties that one record may keep in all.
    /// @param claim Has its penalty first.
    /// @param beyond Debt beyond the claim that the record wrote off or its cash paid.
    function penaltyRooms(uint256 claim, uint256 beyond, uint256 totalDebt, uint256 penaltyBps, uint256 kept)
        internal
        pure
        returns (uint256 penaltyRoom, uint256 lastPenaltyRoom)
    {
        uint256 onClaim = penaltyDown(claim, penaltyBps);
        // Interest and draws since the seizure bear no penalty.
        uint256 onAll = penaltyDown(_min(claim + beyond, totalDebt), penaltyBps);
        if (kept < onClaim) return (onClaim - kept, onAll - onClaim);
        return (0, onAll > kept ? onAll - kept : 0);
    }

    function penaltyDown(uint256 amount, uint256 penaltyBps) internal pure returns (uint256) {
        return amount * penaltyBps / BPS;
    }

    /// @notice What the insurance fund may be asked for when a sale was short.
    /// @dev The sale is reported by one operator: below the floor value the missing part is not the fund's.
    function coverableGap(uint256 claimOpen, uint256 proceeds, uint256 floorValue, bool isCountersigned)
        internal
        pure
        returns (uint256)
    {
        uint256 credited = isCountersigned || proceeds > floorValue ? proceeds : floorValue;
        return claimOpen > credited ? claimOpen - credited : 0;
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
