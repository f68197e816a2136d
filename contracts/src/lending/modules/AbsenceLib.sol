// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISplitFollower} from "../base/interfaces/ISplitFollower.sol";
import {MarketStorage} from "./MarketStorage.sol";

/// @notice What a market has not, in bits beside what every operation reads: no operation opens a slot to find nothing there.
/// @dev No bit says that something is there. A bit that is missing, as all are in a market of an earlier version until its next
/// setting, only makes an operation look.
library AbsenceLib {
    /// @dev Nobody has to be the lender of record any more.
    uint8 internal constant VACANCY = 1;
    uint8 internal constant CAPS = 2;
    /// @dev Neither a term of loans nor a last day of the market.
    uint8 internal constant TERM = 4;
    uint8 internal constant BORROWER_REGISTER = 8;
    uint8 internal constant OPEN_FEE = 16;
    uint8 internal constant SPLITS = 32;

    function isAbsent(MarketStorage storage s, uint8 part) internal view returns (bool) {
        return s.absent & part != 0;
    }

    /// @notice What one whole unit of the collateral is.
    function collateralScale(MarketStorage storage s) internal view returns (uint256) {
        uint256 decimalsUp = s.decimalsUp;
        return 10 ** (decimalsUp == 0 ? s.collateralDecimals : decimalsUp - 1);
    }

    /// @notice After every change of what the bits are about.
    function refresh(MarketStorage storage s) internal {
        s.absent = (s.operator == address(0) ? 0 : VACANCY)
            | (s.maxTotalCollateral == 0 && s.maxUserCollateral == 0 ? CAPS : 0)
            | (s.terms.maxLoanDuration == 0 && s.terms.terminalDueAt == 0 ? TERM : 0)
            | (s.borrowerRegistry == address(0) ? BORROWER_REGISTER : 0) | (s.openFee == 0 ? OPEN_FEE : 0)
            | (followsSplits(s.adapter) ? 0 : SPLITS);
        s.decimalsUp = s.collateralDecimals + 1;
    }

    /// @dev Adapters from before version 3 know no splits. An adapter never changes its answer.
    function followsSplits(address adapter) internal view returns (bool) {
        try ISplitFollower(adapter).followsSplits() returns (bool follows) {
            return follows;
        } catch {
            return false;
        }
    }
}
