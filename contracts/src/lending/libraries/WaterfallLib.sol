// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Where the cash of a realization goes, in order. The legs add up to the cash.
library WaterfallLib {
    uint256 private constant BPS = 10_000;

    /// @param claimOpen What the pool still misses of the claim.
    /// @param advancedOpen What the insurance fund advanced and did not get back.
    /// @param penaltyRoom What is left of the penalty on the claim.
    /// @param debtRoom What may still be kept beyond claim and penalty: the same for the rest of the debt at seizure.
    /// @param loanDebt What the loan itself still owes.
    struct Rooms {
        uint256 claimOpen;
        uint256 advancedOpen;
        uint256 penaltyRoom;
        uint256 debtRoom;
        uint256 loanDebt;
    }

    /// @param toClaim Makes the pool whole.
    /// @param toFund Repays the insurance fund.
    /// @param penalty Pool income.
    /// @param debtApplied Pays down what the loan still owes.
    /// @param recovered Pool income beyond everything owed.
    /// @param surplus The borrower's.
    struct Legs {
        uint256 toClaim;
        uint256 toFund;
        uint256 penalty;
        uint256 debtApplied;
        uint256 recovered;
        uint256 surplus;
    }

    function split(uint256 cash, Rooms memory rooms) internal pure returns (Legs memory legs) {
        legs.toClaim = _min(cash, rooms.claimOpen);
        cash -= legs.toClaim;
        legs.toFund = _min(cash, rooms.advancedOpen);
        cash -= legs.toFund;
        legs.penalty = _min(cash, rooms.penaltyRoom);
        cash -= legs.penalty;
        uint256 kept = _min(cash, rooms.debtRoom);
        legs.debtApplied = _min(kept, rooms.loanDebt);
        legs.recovered = kept - legs.debtApplied;
        legs.surplus = cash - kept;
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
