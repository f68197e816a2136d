// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ExactTransferLib} from "../../libraries/ExactTransferLib.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {LoanRecord, LoanStatus, Realization, RealizationStatus} from "../interfaces/MarketTypes.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {SettlementLib} from "./SettlementLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice What comes back from a seizure.
library SettlementModule {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;

    uint256 internal constant TIMEOUT = 7 days;

    /// @notice Cash from the router, together with what auction fills brought.
    function receiveLiquidationProceeds(MarketStorage storage s, uint256 id, uint256 amount) external {
        require(msg.sender == s.router, IMarketErrors.NotRouter(msg.sender));
        Realization storage r = _require(s, id);
        if (amount != 0) IERC20(s.asset).pullExact(msg.sender, amount);
        settle(s, id, r, amount);
    }

    /// @notice Books cash that has arrived for a record.
    function settle(MarketStorage storage s, uint256 id, Realization storage r, uint256 amount) public {
        PoolLib.accrue(s);
        uint256 cash = amount + SettlementLib.takeHeld(s, r);
        if (r.status == RealizationStatus.OPEN) SettlementLib.settleFirst(s, id, r, cash);
        else SettlementLib.settleLate(s, id, r, cash);
    }

    /// @notice Cash of an auction fill; the fill that takes the last unit settles.
    function creditAuctionFill(MarketStorage storage s, uint256 id, uint256 amount, bool isClosing) external {
        require(msg.sender == s.auctionModule, IMarketErrors.NotVenue(msg.sender));
        Realization storage r = _require(s, id);
        r.held = (r.held + amount).u128();
        s.heldProceeds = (s.heldProceeds + amount).u128();
        emit IMarketEvents.AuctionProceedsHeld(id, amount);
        IERC20(s.asset).pullExact(msg.sender, amount);
        if (!isClosing) return;
        _unlock(s, r);
        settle(s, id, r, 0);
    }

    /// @notice The venue gave up: what it did not sell is on its way to the router.
    function auctionExpired(MarketStorage storage s, uint256 id) external {
        require(msg.sender == s.auctionModule, IMarketErrors.NotVenue(msg.sender));
        _unlock(s, _require(s, id));
    }

    function handleLiquidationTimeout(MarketStorage storage s, uint256 id) external {
        Realization storage r = _requireOpen(s, id);
        uint256 eligibleAt = r.seizedAt + TIMEOUT;
        require(block.timestamp > eligibleAt, IMarketErrors.NotTimedOut(eligibleAt));
        PoolLib.accrue(s);
        SettlementLib.writeOff(s, id, r);
    }

    function countersignSale(MarketStorage storage s, uint256 id) external {
        _requireOpen(s, id).isCountersigned = true;
        emit IMarketEvents.SaleCountersigned(id);
    }

    function _unlock(MarketStorage storage s, Realization storage r) private {
        LoanRecord storage loan = LoanLib.at(s, r.loanId);
        if (LoanLib.statusOf(loan) == LoanStatus.IN_AUCTION) LoanLib.setStatus(loan, LoanStatus.ACTIVE);
        s.openAuctions = uint256(s.openAuctions - 1).u48();
    }

    function _require(MarketStorage storage s, uint256 id) private view returns (Realization storage r) {
        r = s.realizations[id];
        require(r.status != RealizationStatus.NONE, IMarketErrors.RealizationNotFound(id));
    }

    function _requireOpen(MarketStorage storage s, uint256 id) private view returns (Realization storage r) {
        r = _require(s, id);
        require(r.status == RealizationStatus.OPEN, IMarketErrors.RealizationClosed(id));
    }
}
