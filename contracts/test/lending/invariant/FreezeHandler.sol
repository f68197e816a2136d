// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {LoanView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {Vm} from "../../support/Vm.sol";
import {ITrexIdentity, ITrexRegistry, ITrexToken} from "../../support/trex/ITrex.sol";
import {LendingHandler} from "./LendingHandler.sol";

/// @notice Pledges on a real ERC-3643 token, of which this contract is an agent too: it unfreezes, burns, takes and
/// recovers behind the adapter's back. What is then missing has to be reported when the pledge is next touched.
contract FreezeHandler is LendingHandler {
    ITrexToken public immutable security;
    ITrexRegistry public immutable registry;
    FreezeAdapter public immutable adapter;

    /// Wallets that ever pledged; whether another agent left less frozen there than is pledged.
    address[] public holders;
    mapping(address holder => bool) public isTouched;
    uint256 private recoveries;

    uint256 private collateralBefore;
    bool private isShortBefore;

    constructor(
        LendingMarket market_,
        DemoCash cash_,
        ITrexToken security_,
        ITrexRegistry registry_,
        DutchAuctionVenue venue_,
        Actors memory actors_
    ) LendingHandler(market_, cash_, DemoCash(address(security_)), venue_, actors_) {
        security = security_;
        registry = registry_;
        adapter = FreezeAdapter(market_.parts().adapter);
        for (uint256 i = 0; i < 3; ++i) {
            holders.push(actors_.borrowers[i]);
        }
    }

    function holderCount() external view returns (uint256) {
        return holders.length;
    }

    /* ANOTHER AGENT */

    function unfreeze(uint256 who, uint256 amount) external measured {
        address holder = _actors.borrowers[who % 3];
        uint256 frozen = security.getFrozenTokens(holder);
        if (frozen == 0) return;
        security.unfreezePartialTokens(holder, bound(amount, 1, frozen));
        _noteHolder(holder);
    }

    function freezeOnTop(uint256 who, uint256 amount) external measured {
        address holder = _actors.borrowers[who % 3];
        uint256 free = security.balanceOf(holder) - security.getFrozenTokens(holder);
        if (free == 0) return;
        security.freezePartialTokens(holder, bound(amount, 1, free));
        _noteHolder(holder);
    }

    function burn(uint256 who, uint256 amount) external measured {
        address holder = _actors.borrowers[who % 3];
        uint256 balance = security.balanceOf(holder);
        if (balance == 0) return;
        security.burn(holder, bound(amount, 1, balance));
        _noteHolder(holder);
    }

    function takeAway(uint256 who, uint256 amount) external measured {
        address holder = _actors.borrowers[who % 3];
        uint256 balance = security.balanceOf(holder);
        if (balance == 0) return;
        security.forcedTransfer(holder, _actors.buyer, bound(amount, 1, balance));
        _noteHolder(holder);
    }

    function pauseToken(uint256 seed) external measured {
        // Sales need the token to run; pledges and seizures do not.
        security.pause();
        _addWhilePaused(seed);
        security.unpause();
    }

    /// The wallet is lost, its tokens are recovered, and everyone's loans follow.
    function recover(uint256 who) external measured {
        address lost = _actors.borrowers[who % 3];
        if (security.balanceOf(lost) == 0) return;
        address identity = registry.identity(lost);
        address wallet = address(uint160(uint256(keccak256(abi.encode("recovered", ++recoveries)))));
        ITrexIdentity(identity).addKey(keccak256(abi.encode(wallet)), 1, 1);
        security.recoveryAddress(lost, wallet, identity);
        uint256 count = market.pool().loanCounter;
        for (uint256 loanId = 1; loanId <= count; ++loanId) {
            LoanView memory l = market.loan(loanId);
            (, uint256 pledged) = adapter.pledgeOf(loanId);
            if (l.borrower != lost || l.status == LoanStatus.CLOSED || pledged == 0) continue;
            market.rebindPledge(loanId, wallet);
            assertEq(market.loan(loanId).borrower, wallet, "the loan did not follow");
        }
        vm.startPrank(wallet);
        cash.approve(address(market), type(uint256).max);
        vm.stopPrank();
        _actors.borrowers[who % 3] = wallet;
        holders.push(wallet);
        _noteHolder(wallet);
        _noteHolder(lost);
    }

    /* INTERNAL */

    function _addWhilePaused(uint256 which) private {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || !_mayHold(l.borrower)) return;
        token.mint(l.borrower, 1e18);
        vm.prank(l.borrower);
        market.addCollateral(loanId, 1e18);
    }

    function _mayHold(address wallet) internal view override returns (bool) {
        return registry.identity(wallet) != address(0);
    }

    function _beforePledgeMoves(uint256 loanId) internal override {
        LoanView memory l = market.loan(loanId);
        collateralBefore = l.collateral;
        isShortBefore = security.getFrozenTokens(l.borrower) < adapter.lockedOf(l.borrower);
        vm.recordLogs();
    }

    /// Whenever a pledge that is not all there was moved, the adapter said so, and only then.
    function _afterPledgeMoved(uint256 loanId) internal override {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bool isReported;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(adapter) && logs[i].topics[0] == IFreezeAdapter.FreezeShortfall.selector) {
                isReported = true;
            }
        }
        if (market.loan(loanId).collateral == collateralBefore) return;
        assertEq(isReported, isShortBefore, "a missing freeze was not reported, or one that was there was");
    }

    function _noteHolder(address holder) private {
        isTouched[holder] = isTouched[holder] || security.getFrozenTokens(holder) < adapter.lockedOf(holder);
    }
}
