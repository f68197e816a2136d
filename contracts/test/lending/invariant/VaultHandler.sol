// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {ExtensionKind, LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingHandler} from "./LendingHandler.sol";

/// @notice A vault behind the market, and extensions of every kind.
contract VaultHandler is LendingHandler {
    uint256 private constant BPS = 10_000;
    uint256 private constant EVENTS = 13;

    LendingVault public immutable vault;
    address public immutable distributor;
    address[2] public investors;
    address private _visitor;

    constructor(
        LendingMarket market_,
        DemoCash cash_,
        DemoCash token_,
        DutchAuctionVenue venue_,
        Actors memory actors_,
        LendingVault vault_,
        address distributor_,
        address[2] memory investors_
    ) LendingHandler(market_, cash_, token_, venue_, actors_) {
        vault = vault_;
        distributor = distributor_;
        investors = investors_;
        _visitor = makeAddress("visitor");
        vm.prank(_visitor);
        cash_.approve(address(vault_), type(uint256).max);
    }

    /* WHO IS THERE ONLY IN PASSING */

    /// Deposits, its own distributor, waits for one event, and tries every way out within the hour: for each event that
    /// there is. None pays more than was put in. Nothing of it stays.
    function visit(uint256 which, uint256 seed, uint256 amount) external {
        amount = bound(amount, 1e6, 50_000_000e6);
        for (uint256 kind = 0; kind < EVENTS; ++kind) {
            uint256 state = vm.snapshotState();
            cash.mint(_visitor, amount);
            vm.prank(_visitor);
            try vault.deposit(amount, _visitor) {
                _event(kind, which, seed);
                _leave();
                skipTime(1 hours);
                _leave();
                // One unit by rounding at the deposit, one at the way out.
                assertLe(cash.balanceOf(_visitor), amount + 2, "gained in passing");
            } catch {}
            vm.revertToStateAndDelete(state);
        }
    }

    /// A large loan goes bad; half of the time its claim is written off too. Without this, sequences of random calls
    /// hardly ever bring a visitor to a penalty or a late recovery.
    function distress(uint256 who, uint256 seed) external {
        this.openLoan(who, 2_000e18, 1_000_000e6);
        this.passTime(20 days, 0);
        this.passTime(1 hours, 0);
        uint256 loans = market.pool().loanCounter;
        if (loans == 0) return;
        this.liquidate(loans - 1);
        if (seed % 2 == 0) return;
        this.passTime(8 days, oracle.price());
        this.settleExpired(type(uint256).max);
        uint256 count = market.pool().realizationCounter;
        if (count != 0) this.writeOff(count - 1);
    }

    /// Everything that moves money of the vault, its markets or its distributors.
    function _event(uint256 kind, uint256 which, uint256 seed) private {
        if (kind == 0) this.collectFees();
        else if (kind == 1) this.bid(_activeAuction(which), type(uint256).max);
        else if (kind == 2) this.settle(_openSale(which), seed);
        else if (kind == 3) this.settleAuctionCash(which);
        else if (kind == 4) this.settleExpired(which);
        else if (kind == 5) this.writeOff(which);
        else if (kind == 6) this.repay(which, type(uint256).max);
        else if (kind == 7) this.openWithDraw(which, seed);
        else if (kind == 8) this.supply(seed);
        else if (kind == 9) this.withdrawFromMarket(seed);
        else if (kind == 10) this.liquidate(which);
        else if (kind == 11) this.sell(which, type(uint256).max, seed);
        else this.deposit(which, seed);
    }

    function _openSale(uint256 which) private view returns (uint256) {
        (uint256 received,,,) = router.totals();
        for (uint256 i = 0; i < received; ++i) {
            uint256 index = (which % received + i) % received;
            if (!router.liquidation(index + 1).settled) return index;
        }
        return which;
    }

    function _activeAuction(uint256 which) private view returns (uint256) {
        uint256 count = venue.auctionCount();
        for (uint256 i = 0; i < count; ++i) {
            uint256 index = (which % count + i) % count;
            if (venue.auction(index + 1).isActive && block.timestamp < venue.endTime(index + 1)) return index;
        }
        return which;
    }

    function _leave() private {
        try vault.collectDistributorFees(address(market)) {} catch {}
        uint256 shares = vault.balanceOf(_visitor);
        vm.prank(_visitor);
        try vault.redeem(shares) {} catch {}
        shares = vault.balanceOf(_visitor);
        // Another wallet may not do what the own one cannot.
        vm.prank(_visitor);
        try vault.transfer(_actors.buyer, shares) {
            vm.prank(_actors.buyer);
            try vault.redeem(shares) returns (uint256 paid) {
                vm.prank(_actors.buyer);
                cash.transfer(_visitor, paid);
            } catch {}
        } catch {}
        try vault.payDistributor(_visitor) {} catch {}
    }

    /* INVESTORS */

    function deposit(uint256 who, uint256 amount) external measured {
        amount = bound(amount, 1e6, 500_000e6);
        address investor = investors[who % 2];
        cash.mint(investor, amount);
        vm.prank(investor);
        // The first investor came through a distributor, the second alone.
        vault.deposit(amount, who % 2 == 0 ? distributor : address(0));
    }

    function redeem(uint256 who, uint256 shares) external measured {
        address investor = investors[who % 2];
        uint256 held = vault.redeemableSharesOf(investor);
        // Less than a whole unit may round to nothing, which is refused.
        if (held < 1e6 || vault.redeemableNow() < 1e6) return;
        shares = bound(shares, 1e6, held);
        uint256 owed = shares * (vault.totalAssets() + 1) / (vault.totalSupply() + 1);
        if (owed < 1e6) return;
        uint256 before = cash.balanceOf(investor);
        vm.prank(investor);
        uint256 paid = vault.redeem(shares);
        assertEq(cash.balanceOf(investor) - before, paid, "paid another amount than it said");
        assertLe(paid, owed, "paid more than the shares are worth");
    }

    /* THE VAULT'S OPERATOR */

    function supply(uint256 amount) external measured {
        uint256 room = vault.drawableFor(address(market));
        if (room < 1_000e6 || market.isPaused()) return;
        vm.prank(_actors.lender);
        vault.supply(address(market), bound(amount, 1_000e6, room));
    }

    function withdrawFromMarket(uint256 shares) external measured {
        uint256 held = market.sharesOf(address(vault));
        if (held == 0) return;
        shares = bound(shares, 1, held);
        if (market.toAssets(shares) > market.pool().cash) return;
        vm.prank(_actors.lender);
        vault.withdraw(address(market), shares);
    }

    /// A lower cap at once; a higher one is announced, and set when its time has come.
    function setDrawCap(uint256 cap) external measured {
        cap = bound(cap, 0, 2_000_000e6);
        (uint256 announced, uint256 readyAt, uint256 lapsesAt) = vault.announcementOf(address(market));
        bool isReady = block.timestamp >= readyAt && block.timestamp < lapsesAt;
        vm.startPrank(_actors.lender);
        if (cap <= vault.drawCapOf(address(market))) vault.setDrawCap(address(market), cap);
        else if (isReady) vault.setDrawCap(address(market), announced);
        else vault.announceDrawCap(address(market), cap);
        vm.stopPrank();
    }

    function setVaultUse(uint256 seed) external measured {
        vm.prank(_actors.admin);
        market.setVaultLiquidity(seed % 4 != 0);
        vm.prank(_actors.issuer);
        market.setReserveRatio(seed % 5_001);
    }

    function collectFees() external measured {
        uint256 due = market.distributorFeesPayable(address(vault));
        if (due == 0) return;
        assertEq(vault.collectDistributorFees(address(market)), due, "collected another amount than was due");
        if (vault.distributorFeesOf(distributor) != 0) vault.payDistributor(distributor);
        if (vault.distributorFeesOf(address(0)) != 0) vault.payOperatorFees();
    }

    /// A loan that the pool alone cannot pay.
    function openWithDraw(uint256 who, uint256 beyond) external measured {
        PoolView memory p = market.pool();
        if (market.isPaused() || !market.useVaultLiquidity() || p.borrowable < 100e6) return;
        uint256 drawable = vault.drawableFor(address(market)) * (BPS - market.reserveRatioBps()) / BPS;
        if (drawable < 100e6) return;
        uint256 amount = p.borrowable + bound(beyond, 1, drawable - 1);
        uint256 collateral = amount * 2e18 / oracle.price();
        address borrower = _actors.borrowers[who % 3];
        token.mint(borrower, collateral);
        uint256 idle = vault.idleAssets();
        uint256 cashBefore = cash.balanceOf(address(market));
        uint256 price = market.toAssets(1e30);
        vm.prank(borrower);
        market.openLoan(collateral, amount, _noPrice());
        uint256 drawn = idle - vault.idleAssets();
        assertGt(drawn, 0, "nothing was drawn");
        assertEq(cash.balanceOf(address(market)), cashBefore + drawn - amount, "credited is not received");
        assertGe(market.toAssets(1e30), price, "the share price fell at a draw");
    }

    /* EXTENSIONS */

    function extendOne(uint256 which, uint256 extra) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || l.effectiveDueAt == 0) return;
        uint256 newDueAt = _later(l.effectiveDueAt, extra);
        _confirm(ExtensionKind.LOAN, loanId, newDueAt);
        assertEq(market.loan(loanId).effectiveDueAt, newDueAt, "not extended");
        _note(loanId);
    }

    /// A confirmed batch over all loans, in pages that need not be in order.
    function extendAll(uint256 extra, uint256 firstPage) external measured {
        uint256 count = market.pool().loanCounter;
        if (count == 0) return;
        uint256 newDueAt = _later(block.timestamp, extra);
        uint256 id = _confirm(ExtensionKind.BATCH, 0, newDueAt);
        uint256 split = firstPage % count;
        if (split != 0) market.applyExtension(id, _page(split + 1, count));
        market.applyExtension(id, _page(1, split == 0 ? count : split));
        for (uint256 loanId = 1; loanId <= count; ++loanId) {
            LoanView memory l = market.loan(loanId);
            if (l.status == LoanStatus.ACTIVE && l.dueAt != 0) assertGe(l.effectiveDueAt, newDueAt, "left out");
            _note(loanId);
        }
    }

    function proposeAndCancel(uint256 extra) external measured {
        vm.prank(_actors.issuer);
        uint256 id = market.proposeExtension(ExtensionKind.BATCH, 0, _later(block.timestamp, extra));
        vm.prank(_actors.admin);
        market.cancelExtension(id);
    }

    function _confirm(ExtensionKind kind, uint256 loanId, uint256 newDueAt) private returns (uint256 id) {
        vm.prank(_actors.issuer);
        id = market.proposeExtension(kind, loanId, newDueAt);
        vm.prank(_actors.admin);
        market.confirmExtension(id);
    }

    function _later(uint256 dueAt, uint256 extra) private view returns (uint256) {
        return (dueAt > block.timestamp ? dueAt : block.timestamp) + bound(extra, 1, 30 days);
    }

    function _page(uint256 first, uint256 last) private pure returns (uint256[] memory loanIds) {
        loanIds = new uint256[](last - first + 1);
        for (uint256 i = 0; i < loanIds.length; ++i) {
            loanIds[i] = first + i;
        }
    }
}
