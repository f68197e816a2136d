// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill} from "../../../src/trading/interfaces/TradingTypes.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {OrderHandler} from "./OrderHandler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Money in and out, splits that happen, are under way or are only said, freezes, pauses and upgrades.
contract VaultHandler is OrderHandler {
    TradingVault private immutable vault;
    DemoCash private immutable cash;
    address private immutable admin;
    /// @dev What the vault is upgraded to, once.
    address private immutable later;

    /// @dev The split under way: what the vault has been through and the ratio does not tell yet.
    struct Pending {
        uint256 numerator;
        uint256 denominator;
    }

    mapping(address token => Pending) private _pending;
    uint256 private _announcedAt;
    /// @dev Of each trader since the announcement: how long the way out is open now, and was at most.
    uint256[3] private _open;
    uint256[3] private _openAtMost;

    uint256 public upgradeCount;
    /* WHAT MUST STAY ZERO */
    uint256 public leftWithTooLittle;
    uint256 public roundedApart;
    uint256 public takenByABlip;
    uint256 public trappedAtAnUpgrade;
    uint256 public adminFreezesLifted;

    constructor(
        TradingVault vault_,
        StockLikeToken stock_,
        StockLikeToken fund_,
        DemoCash cash_,
        address operator_,
        address admin_,
        address later_
    ) OrderHandler(vault_, stock_, fund_, operator_) {
        (vault, cash, admin, later) = (vault_, cash_, admin_, later_);
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(traders[i]);
            cash.approve(address(vault), type(uint256).max);
        }
    }

    /* MONEY IN AND OUT */

    function deposit(uint256 who, uint256 which, uint256 amount, bool commits) external {
        address trader = traders[who % 3];
        address token = _token(which);
        if (!_isKnown(token)) return;
        amount = bound(amount, 1, token == address(stock) ? 10_000e18 : 1_000_000e6);
        if (token == address(cash)) cash.mint(trader, amount);
        else StockLikeToken(token).mint(trader, amount);
        vm.prank(trader);
        if (commits) vault.depositAndCommit(token, amount);
        else vault.deposit(token, amount);
    }

    function commit(uint256 who, uint256 which, uint256 amount) external {
        address token = _token(which);
        if (!_isKnown(token)) return;
        uint256 free = _account(traders[who % 3], token).free;
        if (free == 0) return;
        vm.prank(traders[who % 3]);
        vault.commit(token, bound(amount, 1, free));
    }

    function request(uint256 who, uint256 which, uint256 amount) external {
        address token = _token(which);
        ITradingVault.AccountView memory account = _account(traders[who % 3], token);
        if (account.committed == account.requested) return;
        vm.prank(traders[who % 3]);
        vault.requestWithdrawal(token, bound(amount, 1, account.committed - account.requested));
    }

    function cancelRequest(uint256 who, uint256 which) external {
        address token = _token(which);
        if (_account(traders[who % 3], token).requested == 0) return;
        vm.prank(traders[who % 3]);
        vault.cancelWithdrawalRequest(token);
    }

    function withdraw(uint256 who, uint256 which, uint256 amount) public {
        address trader = traders[who % 3];
        address token = _token(which);
        if (_blockedUntil(trader) > block.timestamp) return;
        ITradingVault.AccountView memory account = _account(trader, token);
        uint256 free = account.free;
        if (free == 0) {
            // Otherwise few would ever leave: most of what there is is committed.
            free = account.committed;
            if (free == 0) return;
            vm.prank(operator);
            vault.release(trader, token, free);
        }
        amount = bound(amount, 1, free);
        uint256 before = IERC20(token).balanceOf(trader);
        Pending memory pending = _pending[token];
        // The shares of today that this balance stands for.
        uint256 due = pending.denominator == 0 ? amount : amount * pending.numerator / pending.denominator;
        if (due < 3) return;
        vm.prank(trader);
        vault.withdraw(token, amount);
        if (IERC20(token).balanceOf(trader) + 2 < before + due) ++leftWithTooLittle;
    }

    function release(uint256 who, uint256 which, uint256 amount) external {
        address token = _token(which);
        uint256 committed = _account(traders[who % 3], token).committed;
        if (committed == 0) return;
        vm.prank(operator);
        vault.release(traders[who % 3], token, bound(amount, 1, committed));
    }

    function autoCommit(uint256 who, bool isOn) external {
        vm.prank(traders[who % 3]);
        vault.setAutoCommit(isOn);
    }

    /* SPLITS */

    /// @notice All at once, forwards or back, and somebody takes what rests.
    function split(bool isFund, uint256 numerator, uint256 denominator, uint256 index) external {
        StockLikeToken token = isFund ? fund : stock;
        (numerator, denominator) = (bound(numerator, 1, 4), bound(denominator, 1, 4));
        if (!_canSplit(token) || numerator == denominator) return;
        uint256[3] memory had = _balances(token);
        _convert(token, numerator, denominator);
        ++_changes[address(token)];
        _judgeSplit(token, had, numerator, denominator);
        take(index, 1e18);
    }

    /// @notice The vault is converted, and the token tells it later. Somebody leaves meanwhile.
    function beginSplit(bool isFund, uint256 numerator, uint256 denominator, uint256 who) external {
        StockLikeToken token = isFund ? fund : stock;
        (numerator, denominator) = (bound(numerator, 1, 4), bound(denominator, 1, 4));
        if (!_canSplit(token) || numerator == denominator) return;
        (uint256 before, uint256 below) = token.trueRatio();
        _convert(token, numerator, denominator);
        token.setRatio(before, below);
        token.setSplitHoldersLeft(1);
        _pending[address(token)] = Pending(numerator, denominator);
        withdraw(who, isFund ? 1 : 0, who);
    }

    function endSplit(bool isFund) external {
        StockLikeToken token = isFund ? fund : stock;
        Pending memory pending = _pending[address(token)];
        if (pending.denominator == 0) return;
        uint256[3] memory had = _balances(token);
        (uint256 numerator, uint256 denominator) = token.trueRatio();
        token.setRatio(numerator * pending.numerator, denominator * pending.denominator);
        token.setSplitHoldersLeft(0);
        delete _pending[address(token)];
        ++_changes[address(token)];
        _judgeSplit(token, had, pending.numerator, pending.denominator);
    }

    /// @notice The token says that it was split, which it was not, and takes it back.
    function blip(bool isFund, uint256 numerator, uint256 denominator) external {
        StockLikeToken token = isFund ? fund : stock;
        (numerator, denominator) = (bound(numerator, 1, 4), bound(denominator, 1, 4));
        if (!_canSplit(token) || numerator == denominator) return;
        uint256[3] memory had = _balances(token);
        (uint256 before, uint256 below) = token.trueRatio();
        token.setRatio(before * numerator, below * denominator);
        vault.syncSplit(address(token));
        token.setRatio(before, below);
        vault.syncSplit(address(token));
        _changes[address(token)] += 2;
        uint256[3] memory has = _balances(token);
        for (uint256 i = 0; i < 3; ++i) {
            if (has[i] < had[i]) ++takenByABlip;
        }
    }

    /* ADMIN */

    /// @notice The only way that time passes. An admin who waits for an upgrade tries it at once.
    function wait(uint256 duration, bool isLong) public {
        duration = bound(duration, 1, isLong ? 16 days : 1 days);
        for (uint256 i = 0; i < 3; ++i) {
            uint256 blockedUntil = _blockedUntil(traders[i]);
            uint256 end = block.timestamp + duration;
            if (blockedUntil <= block.timestamp) _open[i] += duration;
            else _open[i] = end > blockedUntil ? end - blockedUntil : 0;
            if (_open[i] > _openAtMost[i]) _openAtMost[i] = _open[i];
        }
        skipTime(duration);
        upgrade();
    }

    /// @notice An admin who turned announces at once what the freeze is for.
    function freeze(uint256 who, uint256 duration, bool byOperator) public {
        address trader = traders[who % 3];
        uint256 last = vault.frozenUntil(trader);
        if (byOperator && last != 0 && block.timestamp < last + 30 days) return;
        vm.prank(byOperator ? operator : admin);
        vault.freezeUser(trader, block.timestamp + bound(duration, 1, 30 days));
        _isAdminsFreeze[trader] = !byOperator;
        if (!byOperator) announce();
    }

    mapping(address trader => bool) private _isAdminsFreeze;

    /// @notice A freeze, and the notice runs. Single calls that happen to follow one another so are rare.
    function siege(uint256 who, uint256 duration, uint256 firstWait) external {
        freeze(who, duration, false);
        wait(firstWait, true);
        wait(14 days, true);
    }

    function unfreeze(uint256 who, bool byOperator) external {
        address trader = traders[who % 3];
        bool isFrozen = vault.frozenUntil(trader) > block.timestamp;
        vm.prank(byOperator ? operator : admin);
        (bool success,) = address(vault).call(abi.encodeCall(vault.unfreezeUser, (trader)));
        if (success && isFrozen && byOperator && _isAdminsFreeze[trader]) ++adminFreezesLifted;
    }

    function pause(uint256 duration) external {
        uint256 last = vault.withdrawalsPausedUntil();
        if (last != 0 && block.timestamp < last + 7 days) return;
        vm.prank(admin);
        vault.pauseWithdrawals(block.timestamp + bound(duration, 1, 3 days));
    }

    function announce() public {
        if (_announcedAt != 0 || upgradeCount != 0) return;
        vm.prank(admin);
        vault.announceUpgrade(later);
        _announcedAt = block.timestamp;
        for (uint256 i = 0; i < 3; ++i) {
            (_open[i], _openAtMost[i]) = (0, 0);
        }
    }

    /// @notice As soon as the vault lets it happen. Everybody must have had a week by then.
    function upgrade() public {
        if (_announcedAt == 0) return;
        vm.prank(admin);
        (bool success,) = address(vault).call(abi.encodeCall(vault.upgradeToAndCall, (later, "")));
        // Lapsed or not yet: the first is announced again.
        if (!success && block.timestamp < _announcedAt + 90 days) return;
        _announcedAt = 0;
        if (!success) return;
        ++upgradeCount;
        for (uint256 i = 0; i < 3; ++i) {
            if (_openAtMost[i] < 7 days) ++trappedAtAnUpgrade;
        }
    }

    /* INTERNAL */

    function _settleOne(Fill memory fill) internal override returns (bool) {
        Fill[] memory fills = new Fill[](1);
        fills[0] = fill;
        vm.prank(operator);
        (uint256 settled,) = vault.batchSettle("batch", fills, 1);
        return settled == 1;
    }

    /// @dev A fill brings the books up to date first, so they are here.
    function _wealth(address trader, address token) internal view override returns (uint256) {
        ITradingVault.AccountView memory account = vault.accountOf(trader, token);
        return account.free + account.committed;
    }

    function _quote(uint256 price) internal view override returns (address) {
        return price % 4 == 0 ? address(cash) : address(fund);
    }

    function _convert(StockLikeToken token, uint256 numerator, uint256 denominator) private {
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        token.split(numerator, denominator, holders);
    }

    /// @dev Each account is its exact part, rounded down once, unless the vault itself was rounded more.
    function _judgeSplit(StockLikeToken token, uint256[3] memory had, uint256 numerator, uint256 denominator) private {
        uint256 booked = vault.bookedOf(address(token));
        vault.syncSplit(address(token));
        if (vault.bookedOf(address(token)) != booked * numerator / denominator) return;
        uint256[3] memory has = _balances(token);
        for (uint256 i = 0; i < 3; ++i) {
            if (has[i] != had[i] * numerator / denominator) ++roundedApart;
        }
    }

    /// @dev Not so far that balances leave their 128 bits or become dust.
    function _canSplit(StockLikeToken token) private returns (bool) {
        if (!_isKnown(address(token))) return false;
        vault.syncSplit(address(token));
        uint256 held = token.balanceOf(address(vault));
        return held > 1e6 && held < 1e32;
    }

    function _balances(StockLikeToken token) private view returns (uint256[3] memory balances) {
        for (uint256 i = 0; i < 3; ++i) {
            balances[i] = _wealth(traders[i], address(token));
        }
    }

    function _blockedUntil(address trader) private view returns (uint256) {
        (uint256 frozen, uint256 paused) = (vault.frozenUntil(trader), vault.withdrawalsPausedUntil());
        return frozen > paused ? frozen : paused;
    }

    function _token(uint256 which) private view returns (address) {
        return [address(stock), address(fund), address(cash)][which % 3];
    }

    function _isKnown(address token) private view returns (bool) {
        return _pending[token].denominator == 0;
    }

    function _account(address trader, address token) private view returns (ITradingVault.AccountView memory) {
        return vault.accountOf(trader, token);
    }
}
