// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ExtensionKind, ExtensionProposal, LoanRecord, LoanStatus} from "../interfaces/MarketTypes.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";

/// @notice Moving maturities later: the issuer proposes, the admin confirms. A rate never changes.
library ExtensionModule {
    using CastLib for uint256;

    uint256 internal constant CONFIRMATION_WINDOW = 7 days;
    uint256 internal constant MAX_PAGE = 200;

    function propose(MarketStorage storage s, ExtensionKind kind, uint256 loanId, uint256 newDueAt)
        external
        returns (uint256 id)
    {
        _requireAllowed(s);
        require(newDueAt > block.timestamp, IMarketErrors.InvalidExtension(newDueAt, block.timestamp));
        require((kind == ExtensionKind.LOAN) == (loanId != 0), IMarketErrors.LoanNotFound(loanId));
        if (kind == ExtensionKind.LOAN) _requireLater(s, loanId, newDueAt);
        else if (kind == ExtensionKind.FLOOR) _requireHigherFloor(s, newDueAt);

        id = s.proposalCounter + 1;
        s.proposalCounter = id.u48();
        uint256 maxLoanId = kind == ExtensionKind.BATCH ? s.loanCounter : 0;
        s.proposals[id] = ExtensionProposal({
            kind: kind,
            isConfirmed: false,
            isConsumed: false,
            newDueAt: newDueAt.u40(),
            proposedAt: block.timestamp.u40(),
            loanId: loanId.u48(),
            maxLoanId: maxLoanId.u48(),
            cursor: 0
        });
        emit IMarketEvents.ExtensionProposed(
            id, kind, loanId, newDueAt, maxLoanId, block.timestamp + CONFIRMATION_WINDOW, msg.sender
        );
    }

    function confirm(MarketStorage storage s, uint256 id) external {
        _requireAllowed(s);
        ExtensionProposal storage proposal = _require(s, id);
        require(!proposal.isConfirmed, IMarketErrors.ExtensionAlreadyConfirmed(id));
        require(block.timestamp <= proposal.proposedAt + CONFIRMATION_WINDOW, IMarketErrors.ExtensionExpired(id));
        uint256 newDueAt = proposal.newDueAt;
        require(newDueAt > block.timestamp, IMarketErrors.InvalidExtension(newDueAt, block.timestamp));
        emit IMarketEvents.ExtensionConfirmed(id, msg.sender);
        if (proposal.kind == ExtensionKind.BATCH) {
            proposal.isConfirmed = true;
            return;
        }
        proposal.isConsumed = true;
        if (proposal.kind == ExtensionKind.LOAN) {
            _requireLater(s, proposal.loanId, newDueAt);
            _extend(s, id, proposal.loanId, newDueAt);
        } else {
            _requireHigherFloor(s, newDueAt);
            s.terms.dueFloor = newDueAt.u40();
            _raiseLatest(s, newDueAt);
            emit IMarketEvents.ExtensionFloorRaised(id, newDueAt);
        }
    }

    /// @notice One page of a confirmed batch. Loans that are closed, in an auction, without a term or later already are
    /// skipped; a page that follows the one before it moves the batch forward.
    function applyPage(MarketStorage storage s, uint256 id, uint256[] calldata loanIds)
        external
        returns (uint256 count)
    {
        _requireAllowed(s);
        ExtensionProposal storage proposal = _require(s, id);
        require(proposal.kind == ExtensionKind.BATCH, IMarketErrors.ExtensionNotBatch(id));
        require(proposal.isConfirmed, IMarketErrors.ExtensionNotConfirmed(id));
        uint256 length = loanIds.length;
        require(length != 0 && length <= MAX_PAGE, IMarketErrors.ExtensionPageTooLong(length));
        (uint256 newDueAt, uint256 maxLoanId, uint256 cursor) = (proposal.newDueAt, proposal.maxLoanId, proposal.cursor);
        require(newDueAt > block.timestamp, IMarketErrors.InvalidExtension(newDueAt, block.timestamp));
        for (uint256 i = 0; i < length; ++i) {
            uint256 loanId = loanIds[i];
            require(loanId != 0 && loanId <= maxLoanId, IMarketErrors.ExtensionLoanOutOfScope(loanId, maxLoanId));
            if (loanId == cursor + 1) cursor = loanId;
            LoanRecord storage loan = LoanLib.at(s, loanId);
            uint256 dueAt = LoanLib.effectiveDueAt(s, loan.dueAt);
            if (LoanLib.statusOf(loan) != LoanStatus.ACTIVE || dueAt == 0 || dueAt >= newDueAt) continue;
            _extend(s, id, loanId, newDueAt);
            ++count;
        }
        proposal.cursor = cursor.u48();
        if (cursor == maxLoanId) {
            proposal.isConsumed = true;
            emit IMarketEvents.ExtensionCompleted(id);
        }
    }

    function cancel(MarketStorage storage s, uint256 id) external {
        _require(s, id).isConsumed = true;
        emit IMarketEvents.ExtensionCancelled(id, msg.sender);
    }

    function _extend(MarketStorage storage s, uint256 id, uint256 loanId, uint256 newDueAt) private {
        LoanLib.at(s, loanId).dueAt = LoanLib.dueAtDown(newDueAt);
        _raiseLatest(s, newDueAt);
        emit IMarketEvents.ExtensionApplied(id, loanId, newDueAt);
    }

    function _raiseLatest(MarketStorage storage s, uint256 newDueAt) private {
        if (newDueAt > s.terms.latestDueAt) s.terms.latestDueAt = newDueAt.u40();
    }

    function _requireAllowed(MarketStorage storage s) private view {
        require(s.terms.isExtensionAllowed, IMarketErrors.ExtensionNotAllowed());
    }

    function _require(MarketStorage storage s, uint256 id) private view returns (ExtensionProposal storage proposal) {
        proposal = s.proposals[id];
        require(proposal.proposedAt != 0, IMarketErrors.ExtensionNotFound(id));
        require(!proposal.isConsumed, IMarketErrors.ExtensionConsumed(id));
    }

    function _requireLater(MarketStorage storage s, uint256 loanId, uint256 newDueAt) private {
        uint256 dueAt = LoanLib.effectiveDueAt(s, LoanLib.requireUnlocked(s, loanId).dueAt);
        require(dueAt != 0, IMarketErrors.TermsNotEnabled());
        require(newDueAt > dueAt, IMarketErrors.InvalidExtension(newDueAt, dueAt));
    }

    function _requireHigherFloor(MarketStorage storage s, uint256 newDueAt) private view {
        uint256 floor = s.terms.dueFloor;
        require(s.terms.maxLoanDuration != 0 || s.terms.terminalDueAt != 0, IMarketErrors.TermsNotEnabled());
        require(newDueAt > floor, IMarketErrors.InvalidExtension(newDueAt, floor));
    }
}
