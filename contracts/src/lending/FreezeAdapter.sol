// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AttemptLib} from "../libraries/AttemptLib.sol";
import {CollateralAdapter} from "./base/CollateralAdapter.sol";
import {IFreezableToken, IFreezeAdapter, IIdentityLookup} from "./interfaces/IFreezeAdapter.sol";

/// @title FreezeAdapter
contract FreezeAdapter is IFreezeAdapter, CollateralAdapter {
    /* CONSTANTS */

    /// @inheritdoc IFreezeAdapter
    uint256 public constant REBIND_PERIOD = 3 days;
    /// @dev Unfreezing takes 30,000.
    uint256 private constant UNFREEZE_GAS = 200_000;
    uint256 private constant IDENTITY_GAS = 150_000;

    /* STORAGE */

    mapping(address holder => uint256) public lockedOf;
    /// @inheritdoc IFreezeAdapter
    mapping(address holder => address) public identityAtPledge;
    /// @inheritdoc IFreezeAdapter
    mapping(uint256 loanId => uint256) public rebindUntil;
    mapping(address holder => Deferred) private _deferred;

    /// @param splits That the amount has been through.
    struct Deferred {
        uint128 amount;
        uint64 splits;
    }

    /* CONSTRUCTOR */

    constructor(address market_, address token_) CollateralAdapter(market_, token_) {}

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc IFreezeAdapter
    function noticeRecovery(uint256 loanId) external {
        Pledge memory pledge = _pledge(loanId);
        address holder = pledge.holder;
        uint256 balance = _token().balanceOf(holder);
        require(
            pledge.amount != 0 && balance < lockedOf[holder] && _hasLostItsIdentity(holder),
            WalletNotRecovered(holder, balance)
        );
        uint256 until = rebindUntil[loanId];
        require(block.timestamp > until + REBIND_PERIOD, RecoveryAlreadyNoticed(loanId, until));
        until = block.timestamp + REBIND_PERIOD;
        rebindUntil[loanId] = until;
        emit RecoveryNoticed(loanId, holder, until);
    }

    /// @inheritdoc IFreezeAdapter
    function releaseDeferred(address holder) external returns (uint256 amount) {
        if (followsSplits) _follow();
        amount = deferredReleaseOf(holder);
        require(amount != 0, NothingDeferred(holder));
        // What moved with a recovery is frozen elsewhere.
        require(!_hasLostItsIdentity(holder), WalletRecovered(holder));
        delete _deferred[holder];
        emit DeferredReleaseMade(holder, amount);
        _unfreeze(holder, amount);
    }

    /// @inheritdoc IFreezeAdapter
    function releaseRecovered(address lostWallet, address newWallet) external returns (uint256 amount) {
        if (followsSplits) _follow();
        uint256 deferred = deferredReleaseOf(lostWallet);
        require(deferred != 0, NothingDeferred(lostWallet));
        _requireSamePerson(lostWallet, newWallet);
        amount = _spareAt(newWallet, deferred);
        require(amount != 0, WalletNotRecovered(lostWallet, _token().balanceOf(lostWallet)));
        _defer(lostWallet, deferred - amount);
        emit RecoveredReleaseMade(lostWallet, newWallet, amount);
        _token().unfreezePartialTokens(newWallet, amount);
    }

    /* MARKET FUNCTIONS */

    function reconcile(uint256 loanId) external onlyMarket returns (uint256) {
        Pledge memory pledge = _pledge(loanId);
        uint256 locked = lockedOf[pledge.holder];
        uint256 balance = _token().balanceOf(pledge.holder);
        if (balance >= locked) return pledge.amount;
        require(!_hasLostItsIdentity(pledge.holder) || _isOverdue(loanId), PledgeNotRebound(loanId, pledge.holder));
        uint256 missing = locked - balance;
        if (missing > pledge.amount) missing = pledge.amount;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (followsSplits) _pledges[loanId].amount = uint96(pledge.amount - missing);
        lockedOf[pledge.holder] = locked - missing;
        emit FreezeShortfall(pledge.holder, locked, balance);
        return pledge.amount - missing;
    }

    function rebind(uint256 loanId, address newWallet)
        external
        onlyMarket
        returns (address lostWallet, uint256 amount)
    {
        Pledge memory pledge = _pledge(loanId);
        (lostWallet, amount) = (pledge.holder, pledge.amount);
        uint256 left = _token().balanceOf(lostWallet);
        require(
            amount != 0 && left < lockedOf[lostWallet] && _token().getFrozenTokens(lostWallet) == 0,
            WalletNotRecovered(lostWallet, left)
        );
        address identity = _requireSamePerson(lostWallet, newWallet);
        if (followsSplits) _pledges[loanId].holder = newWallet;
        lockedOf[lostWallet] -= amount;
        lockedOf[newWallet] += amount;
        identityAtPledge[newWallet] = identity;
        delete rebindUntil[loanId];
        emit PledgeRebound(loanId, lostWallet, newWallet, amount);
        _freezeUpTo(newWallet, lockedOf[newWallet]);
    }

    /* INTERNAL */

    function _take(address holder, uint256 amount) internal override {
        lockedOf[holder] += amount;
        address identity = _identityOf(holder);
        if (identityAtPledge[holder] != identity) identityAtPledge[holder] = identity;
        uint256 before = _token().getFrozenTokens(holder);
        _token().freezePartialTokens(holder, amount);
        uint256 frozen = _token().getFrozenTokens(holder) - before;
        require(frozen == amount, CollateralMoved(token, amount, frozen));
    }

    /// @dev Never reverts for what the token does: an adapter that lost its role must not block a repayment.
    function _giveBack(address holder, uint256 amount) internal override {
        lockedOf[holder] -= amount;
        uint256 mine = _frozenFor(holder, amount);
        if (mine != 0 && !_tryUnfreeze(holder, mine)) _deferMore(holder, mine);
        if (mine != amount) _giveBackRecovered(holder, amount - mine);
    }

    /// @dev A recovery took the freeze along to another wallet, with or without a rebind. Where the token says which one, it
    /// is released there; else it waits for somebody who names it.
    function _giveBackRecovered(address holder, uint256 amount) private {
        address successor = successorOf(holder);
        if (successor != address(0)) {
            uint256 there = _spareAt(successor, amount);
            if (there != 0 && _tryUnfreeze(successor, there)) {
                emit RecoveredReleaseMade(holder, successor, there);
                amount -= there;
            }
        }
        if (amount != 0 && _mayBeRecovered(holder)) _deferMore(holder, amount);
    }

    function _tryUnfreeze(address holder, uint256 amount) private returns (bool isAccepted) {
        bool isStarved;
        (isAccepted, isStarved) = AttemptLib.attempt(
            token, abi.encodeCall(IFreezableToken.unfreezePartialTokens, (holder, amount)), UNFREEZE_GAS
        );
        require(!isStarved, ReleaseNeedsMoreGas());
    }

    function _deferMore(address holder, uint256 amount) private {
        _defer(holder, deferredReleaseOf(holder) + amount);
        emit ReleaseDeferred(holder, amount);
    }

    function _defer(address holder, uint256 amount) private {
        // forge-lint: disable-next-line(unsafe-typecast)
        _deferred[holder] = Deferred(uint128(amount), uint64(_splitCount()));
    }

    function _grow(address holder, uint256 added) internal override {
        lockedOf[holder] += added;
    }

    /// @dev The token froze what it added, in the wallet or in the one that took its place.
    function _growable(address holder, uint256 added) internal view override returns (uint256) {
        uint256 spare = _spareAt(holder, added);
        if (spare != 0) return spare;
        address successor = successorOf(holder);
        if (successor == address(0)) return 0;
        uint256 moved = lockedOf[holder];
        uint256 there = _spareAt(successor, moved + added);
        return there > moved ? there - moved : 0;
    }

    /// @dev Checked holder by holder, in `_growable`.
    function _covered(Step memory step) internal pure override returns (Step memory) {
        return step;
    }

    function _scaleTotals(Step memory) internal override {}

    /// @dev The exact amount is unfrozen first: a forced transfer by itself spends what is free before what is frozen.
    function _deliver(address holder, address to, uint256 amount) internal override returns (uint256 received) {
        lockedOf[holder] -= amount;
        _unfreeze(holder, amount);
        uint256 held = _token().balanceOf(holder);
        uint256 before = _token().balanceOf(to);
        _token().forcedTransfer(holder, to, amount);
        received = _token().balanceOf(to) - before;
        uint256 moved = held - _token().balanceOf(holder);
        require(moved == amount, CollateralMoved(token, amount, moved));
        require(received != 0 && received <= amount, CollateralMoved(token, amount, received));
    }

    function _unfreeze(address holder, uint256 amount) private {
        uint256 mine = _frozenFor(holder, amount);
        if (mine != 0) _token().unfreezePartialTokens(holder, mine);
    }

    /// @dev Leaves what other loans of the holder have frozen, even if another agent unfroze a part of it.
    function _frozenFor(address holder, uint256 amount) private returns (uint256 mine) {
        uint256 frozen = _token().getFrozenTokens(holder);
        uint256 others = lockedOf[holder];
        mine = frozen > others ? frozen - others : 0;
        if (mine < amount) emit FreezeShortfall(holder, others + amount, frozen);
        else mine = amount;
    }

    function _freezeUpTo(address holder, uint256 target) private {
        uint256 frozen = _token().getFrozenTokens(holder);
        if (frozen >= target) return;
        uint256 free = _token().balanceOf(holder) - frozen;
        uint256 missing = target - frozen;
        if (missing > free) emit FreezeShortfall(holder, target, frozen + free);
        if (free != 0) _token().freezePartialTokens(holder, missing < free ? missing : free);
    }

    /* VIEWS */

    function isFreeze() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IFreezeAdapter
    function deferredReleaseOf(address holder) public view returns (uint256) {
        Deferred memory deferred = _deferred[holder];
        return _scaled(deferred.amount, deferred.splits);
    }

    /// @dev Frozen there beyond what is pledged there.
    function _spareAt(address holder, uint256 most) private view returns (uint256 spare) {
        uint256 frozen = _token().getFrozenTokens(holder);
        uint256 locked = lockedOf[holder];
        spare = frozen > locked ? frozen - locked : 0;
        if (spare > most) spare = most;
    }

    function _requireSamePerson(address lostWallet, address newWallet) private view returns (address identity) {
        identity = identityAtPledge[lostWallet];
        require(
            newWallet != lostWallet && identity != address(0) && _identityOf(newWallet) == identity,
            NotSameIdentity(lostWallet, newWallet)
        );
    }

    /// @dev In a repayment, which no register may stop: one that does not answer leaves it open.
    function _mayBeRecovered(address holder) private view returns (bool) {
        if (identityAtPledge[holder] == address(0)) return false;
        try this.hasLostItsIdentity{gas: IDENTITY_GAS}(holder) returns (bool hasLost) {
            return hasLost;
        } catch {
            return true;
        }
    }

    /// @inheritdoc IFreezeAdapter
    function hasLostItsIdentity(address holder) external view returns (bool) {
        return _hasLostItsIdentity(holder);
    }

    function _token() private view returns (IFreezableToken) {
        return IFreezableToken(token);
    }

    /// @dev What a recovery leaves behind: the token takes the lost wallet off the register.
    function _hasLostItsIdentity(address holder) private view returns (bool) {
        address identity = identityAtPledge[holder];
        return identity != address(0) && _identityOf(holder) != identity;
    }

    /// @dev A notice runs out, or an old one would serve for a later recovery.
    function _isOverdue(uint256 loanId) private view returns (bool) {
        uint256 until = rebindUntil[loanId];
        return block.timestamp > until && block.timestamp <= until + REBIND_PERIOD;
    }

    function _identityOf(address wallet) private view returns (address) {
        return IIdentityLookup(_token().identityRegistry()).identity(wallet);
    }
}
