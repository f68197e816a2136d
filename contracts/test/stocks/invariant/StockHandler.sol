// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {BaseTest} from "../../support/BaseTest.sol";
import {PlainRegistry} from "../support/PlainRegistry.sol";

/// @notice Does to a stock all that anybody may do, in any order, and keeps books of its own. It is the market of the
/// adapter: each holder has one loan at a time.
contract StockHandler is BaseTest {
    struct Cast {
        address issuer;
        address controller;
        address agent;
        address legalOperator;
        address[2] subIssuers;
        address[4] holders;
    }

    StockToken public immutable stock;
    PlainRegistry public immutable registry;
    FreezeAdapter public immutable adapter;
    address public immutable router;
    address public auctionModule;

    Cast private _cast;
    address[] private _wallets;
    uint256[4] private _loans = [uint256(0), 1, 2, 3];
    mapping(address subIssuer => uint256) public outstanding;
    mapping(address subIssuer => uint256) public cap;
    /// @notice Whether a controller ever took from it.
    mapping(address wallet => bool) public isBroken;
    /// @notice What controllers moved out of a wallet, to another.
    mapping(address wallet => uint256) public forcedOut;
    /// @notice How often a balance fell that its holder did not move, in a call of nobody who may do that.
    uint256 public thefts;
    uint256 private _numerator;
    uint256 private _denominator;

    constructor(StockToken stock_, PlainRegistry registry_, address router_, Cast memory cast_) {
        (stock, registry, router, _cast) = (stock_, registry_, router_, cast_);
        adapter = new FreezeAdapter(address(this), address(stock_));
        for (uint256 i = 0; i < 4; ++i) {
            _wallets.push(cast_.holders[i]);
        }
        _wallets.push(router_);
        for (uint256 i = 0; i < 2; ++i) {
            _wallets.push(cast_.subIssuers[i]);
        }
    }

    /// @dev Only this one's balance may fall.
    modifier movedBy(address holder) {
        uint256[] memory before = new uint256[](_wallets.length);
        for (uint256 i = 0; i < before.length; ++i) {
            before[i] = stock.balanceOf(_wallets[i]);
        }
        _;
        for (uint256 i = 0; i < before.length; ++i) {
            if (_wallets[i] != holder && stock.balanceOf(_wallets[i]) < before[i]) ++thefts;
        }
    }

    /// @dev In the middle of a split nothing else is possible, which other tests show.
    modifier betweenSplits(uint256 seed) {
        if (stock.splitHoldersLeft() != 0) {
            if (stock.continueSplit(seed % 3) == 0) _convertBooks();
            return;
        }
        _;
    }

    /* HOLDERS */

    function transfer(uint256 from, uint256 to, uint256 amount) external betweenSplits(amount) movedBy(_wallet(from)) {
        address sender = _wallet(from);
        amount = bound(amount, 0, stock.transferableBalance(sender));
        vm.prank(sender);
        stock.transfer(_wallet(to), amount);
    }

    function recover(uint256 who, uint256 seed) external betweenSplits(seed) {
        uint256 i = who % 4;
        address lost = _cast.holders[i];
        if (stock.balanceOf(lost) == 0) return;
        address found = address(uint160(uint256(keccak256(abi.encode(lost)))));
        address person = registry.identity(lost);
        registry.moveIdentity(lost, found);
        vm.prank(_cast.agent);
        stock.recoveryAddress(lost, found, person);
        (, uint256 pledged) = adapter.pledgeOf(_loans[i]);
        if (pledged != 0) adapter.rebind(_loans[i], found);
        (_cast.holders[i], _wallets[i]) = (found, found);
        isBroken[found] = isBroken[lost];
        forcedOut[found] += forcedOut[lost];
    }

    /* ISSUERS */

    function issue(uint256 by, uint256 to, uint256 amount) external betweenSplits(amount) {
        address subIssuer = by % 3 == 2 ? _cast.issuer : _cast.subIssuers[by % 3];
        uint256 most = 1e24;
        if (by % 3 != 2 && cap[subIssuer] != 0) {
            if (outstanding[subIssuer] >= cap[subIssuer]) return;
            most = cap[subIssuer] - outstanding[subIssuer];
            if (most > 1e24) most = 1e24;
        }
        if (stock.totalSupply() > 1e27) return;
        amount = bound(amount, 1, most);
        vm.prank(subIssuer);
        stock.issue(_wallet(to), amount, "");
        if (by % 3 != 2) outstanding[subIssuer] += amount;
    }

    function redeem(uint256 by, uint256 from, uint256 amount) external betweenSplits(amount) {
        address subIssuer = _cast.subIssuers[by % 2];
        address account = _wallet(from);
        uint256 most = stock.transferableBalance(account);
        if (by % 6 < 4 && outstanding[subIssuer] < most) most = outstanding[subIssuer];
        if (most == 0) return;
        amount = bound(amount, 1, most);
        if (by % 6 < 4) outstanding[subIssuer] -= amount;
        if (by % 6 < 2) {
            _redeemAllowed(subIssuer, account, amount);
        } else if (by % 6 < 4) {
            vm.prank(_cast.issuer);
            stock.redeemFor(subIssuer, account, amount, "");
        } else {
            vm.prank(_cast.issuer);
            stock.redeemFrom(account, amount, "");
        }
    }

    function _redeemAllowed(address subIssuer, address account, uint256 amount) private movedBy(account) {
        vm.prank(account);
        stock.approve(subIssuer, amount);
        vm.prank(subIssuer);
        stock.redeemFrom(account, amount, "");
    }

    /// @dev Issues as much to itself as its cap has room for, and redeems as much of somebody who allowed it nothing.
    function churn(uint256 by, uint256 from, uint256 amount)
        external
        betweenSplits(amount)
        movedBy(_cast.subIssuers[by % 2])
    {
        address subIssuer = _cast.subIssuers[by % 2];
        address victim = _wallet(from);
        uint256 most = stock.transferableBalance(victim);
        if (cap[subIssuer] != 0) {
            uint256 room = cap[subIssuer] > outstanding[subIssuer] ? cap[subIssuer] - outstanding[subIssuer] : 0;
            if (room < most) most = room;
        }
        if (most == 0 || stock.totalSupply() > 1e27) return;
        amount = bound(amount, 1, most);
        vm.prank(subIssuer);
        stock.issue(subIssuer, amount, "");
        outstanding[subIssuer] += amount;
        vm.prank(subIssuer);
        try stock.redeemFrom(victim, amount, "") {
            outstanding[subIssuer] -= amount;
        } catch {}
    }

    /// @dev Whoever holds no role that takes from others tries all that do.
    function overreach(uint256 by, uint256 from, uint256 amount) external betweenSplits(amount) {
        address[4] memory nobodies = [_wallet(by), _cast.subIssuers[by % 2], _cast.legalOperator, address(this)];
        _overreach(nobodies[by % 4], _wallet(from), bound(amount, 1, 1e24));
    }

    function _overreach(address caller, address victim, uint256 amount) private movedBy(caller) {
        bytes[5] memory attempts = [
            abi.encodeCall(stock.transferFrom, (victim, caller, amount)),
            abi.encodeCall(stock.redeemFor, (caller, victim, amount, "")),
            abi.encodeCall(stock.forceTransfer, (victim, caller, amount, "")),
            abi.encodeCall(stock.forcedTransfer, (victim, caller, amount)),
            abi.encodeCall(stock.recoveryAddress, (victim, caller, caller))
        ];
        for (uint256 i = 0; i < attempts.length; ++i) {
            vm.prank(caller);
            (bool isDone,) = address(stock).call(attempts[i]);
            if (isDone && caller != victim) ++thefts;
        }
    }

    function setCap(uint256 by, uint256 amount) external betweenSplits(amount) {
        address subIssuer = _cast.subIssuers[by % 2];
        amount = amount % 3 == 0 ? 0 : bound(amount, 1, 1e25);
        vm.prank(_cast.issuer);
        stock.setSubIssuerCap(subIssuer, amount);
        cap[subIssuer] = amount;
    }

    function split(uint256 numerator, uint256 denominator, uint256 maxHolders) external betweenSplits(maxHolders) {
        if (stock.totalSupply() > 1e27) return;
        denominator = bound(denominator, 1, 5);
        numerator = bound(numerator, denominator + 1, 2 * denominator);
        (_numerator, _denominator) = (numerator, denominator);
        vm.prank(_cast.issuer);
        stock.stockSplit(numerator, denominator, maxHolders % 7);
        if (stock.splitHoldersLeft() == 0) _convertBooks();
    }

    function releaseSurplus(uint256 who, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(who);
        address agent = who % 2 == 0 ? _cast.agent : address(adapter);
        uint256 surplus = stock.surplusOf(agent, account);
        if (surplus == 0 || surplus != stock.frozenBy(agent, account)) return;
        vm.prank(_cast.issuer);
        stock.releaseSurplus(agent, account, bound(amount, 1, surplus));
    }

    /* CONTROLLERS AND AGENTS */

    function freeze(uint256 by, uint256 who, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(who);
        uint256 free = stock.transferableBalance(account);
        if (free == 0) return;
        amount = bound(amount, 1, free);
        vm.prank(by % 2 == 0 ? _cast.agent : _cast.controller);
        if (by % 2 == 0) stock.freezePartialTokens(account, amount);
        else stock.freezeTokens(account, amount);
    }

    function unfreeze(uint256 by, uint256 who, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(who);
        uint256 frozen = stock.frozenBy(by % 2 == 0 ? _cast.agent : address(0), account);
        if (frozen == 0) return;
        amount = bound(amount, 1, frozen);
        vm.prank(by % 2 == 0 ? _cast.agent : _cast.controller);
        if (by % 2 == 0) stock.unfreezePartialTokens(account, amount);
        else stock.unfreezeTokens(account, amount);
    }

    function forceByAgent(uint256 from, uint256 to, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(from);
        uint256 most = stock.transferableBalance(account) + stock.frozenBy(_cast.agent, account);
        if (most == 0) return;
        if (account == _wallet(to)) return;
        vm.prank(_cast.agent);
        stock.forcedTransfer(account, _wallet(to), bound(amount, 1, most));
    }

    function forceByController(uint256 from, uint256 to, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(from);
        uint256 balance = stock.balanceOf(account);
        // Seldom, or no pledge would live long.
        if (balance == 0 || amount % 4 != 0 || account == _wallet(to)) return;
        amount = bound(amount, 1, balance);
        vm.prank(_cast.controller);
        stock.forceTransfer(account, _wallet(to), amount, "");
        forcedOut[account] += amount;
        if (stock.brokenPledgeOf(address(adapter), account) != 0) isBroken[account] = true;
    }

    /// @dev From a wallet to itself: whether refused or not, it takes no pledge.
    function forceToItself(uint256 who, uint256 amount) external betweenSplits(amount) {
        address account = _wallet(who);
        uint256 balance = stock.balanceOf(account);
        if (balance == 0) return;
        vm.prank(_cast.controller);
        try stock.forceTransfer(account, account, bound(amount, 1, balance), "") {} catch {}
    }

    /* THE LENDER */

    function pledge(uint256 who, uint256 amount) external betweenSplits(amount) {
        uint256 free = stock.transferableBalance(_cast.holders[who % 4]);
        if (free == 0) return;
        (, uint256 pledged) = adapter.pledgeOf(_loans[who % 4]);
        if (pledged == 0) _loans[who % 4] += 4;
        adapter.lock(_loans[who % 4], _cast.holders[who % 4], bound(amount, 1, free));
    }

    function release(uint256 who, uint256 amount) external betweenSplits(amount) {
        (, uint256 pledged) = adapter.pledgeOf(_loans[who % 4]);
        if (pledged != 0) adapter.release(_loans[who % 4], bound(amount, 1, pledged));
    }

    /// @dev Whatever happened, what is left of a pledge can be seized.
    function seize(uint256 who, uint256 amount) external betweenSplits(amount) {
        uint256 loan = _loans[who % 4];
        (address holder, uint256 pledged) = adapter.pledgeOf(loan);
        if (pledged == 0) return;
        pledged = adapter.reconcile(loan);
        uint256 mine = stock.frozenBy(address(adapter), holder) + stock.transferableBalance(holder);
        if (pledged > mine) pledged = mine;
        if (pledged == 0) return;
        adapter.seize(loan, bound(amount, 1, pledged), router);
    }

    /* BOOKS */

    function _convertBooks() private {
        for (uint256 i = 0; i < 2; ++i) {
            address subIssuer = _cast.subIssuers[i];
            outstanding[subIssuer] = outstanding[subIssuer] * _numerator / _denominator;
            cap[subIssuer] = cap[subIssuer] * _numerator / _denominator;
        }
    }

    function _wallet(uint256 seed) private view returns (address) {
        return _wallets[seed % _wallets.length];
    }

    function wallets() external view returns (address[] memory) {
        return _wallets;
    }

    function cast() external view returns (Cast memory) {
        return _cast;
    }
}
