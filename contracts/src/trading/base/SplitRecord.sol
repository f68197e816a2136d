// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../interfaces/ISignedOrders.sol";
import {ISplitRecord} from "../interfaces/ISplitRecord.sol";
import {SaltLib} from "../libraries/SaltLib.sol";
import {Ratio, SplitLib} from "../libraries/SplitLib.sol";

/// @title SplitRecord
abstract contract SplitRecord is ISplitRecord {
    /* STORAGE */

    struct Seen {
        /// @dev Zeros stand for 1:1.
        Ratio ratio;
        uint64 generation;
        bool isTold;
    }

    mapping(address token => Seen) private _seen;

    /* ANYONE */

    /// @inheritdoc ISplitRecord
    function syncSplit(address token) external {
        _requireLeg(token);
    }

    /* INTERNAL */

    /// @return leg How the token's part of a salt must begin.
    function _requireLeg(address token) internal returns (bytes8 leg) {
        leg = _noteSplit(token);
        require(leg != SaltLib.UNREADABLE, ISignedOrders.SplitUnreadable(token));
    }

    function _noteSplit(address token) internal returns (bytes8 leg) {
        Ratio memory ratio;
        bool isTold;
        (leg, isTold, ratio) = _look(token);
        Seen storage seen = _seen[token];
        if (isTold && !seen.isTold) seen.isTold = true;
        if (!isTold || leg == SaltLib.UNREADABLE || SplitLib.isSame(ratio, _known(seen))) return leg;
        (seen.ratio, seen.generation) = (ratio, seen.generation + 1);
        emit SplitSeen(token, seen.generation, ratio.numerator, ratio.denominator);
    }

    function _legOf(address token) internal view returns (bytes8 leg) {
        (leg,,) = _look(token);
    }

    function _tellsSplits(address token) internal view returns (bool) {
        return _seen[token].isTold;
    }

    /// @dev A token that never told a ratio has none. One that did, and does not now, may have been split.
    function _look(address token) private view returns (bytes8 leg, bool isTold, Ratio memory ratio) {
        Seen storage seen = _seen[token];
        (isTold, ratio) = SplitLib.read(token);
        if (!isTold) return (seen.isTold ? SaltLib.UNREADABLE : bytes8(0), false, ratio);
        if (SplitLib.saysUnderWay(token)) return (SaltLib.UNREADABLE, true, ratio);
        uint256 generation = seen.generation;
        if (!SplitLib.isSame(ratio, _known(seen))) ++generation;
        leg = generation == 0 ? bytes8(0) : SaltLib.legOf(generation, ratio);
    }

    function _known(Seen storage seen) private view returns (Ratio memory ratio) {
        ratio = seen.ratio;
        if (ratio.denominator == 0) ratio = Ratio(1, 1);
    }

    /* VIEWS */

    /// @inheritdoc ISplitRecord
    function splitsSeen(address token)
        external
        view
        returns (bool isTold, uint256 generation, uint256 numerator, uint256 denominator)
    {
        Ratio memory ratio = _known(_seen[token]);
        return (_seen[token].isTold, _seen[token].generation, ratio.numerator, ratio.denominator);
    }
}
