// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {InsuranceFund} from "../../../src/lending/InsuranceFund.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LiquidationRouter} from "../../../src/lending/LiquidationRouter.sol";
import {SecurityPriceOracle} from "../../../src/lending/SecurityPriceOracle.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LiquidationView} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {
    Arrears,
    ExtensionKind,
    LoanStatus,
    MarketConfig,
    Realization,
    RealizationStatus
} from "../../../src/lending/interfaces/MarketTypes.sol";
import {BaseTest} from "../../support/BaseTest.sol";

/// @notice Everything that can happen to one market, in any order, with inputs that must not fail: a revert is a bug.
contract LendingHandler is BaseTest {
    struct Actors {
        address lender;
        address admin;
        address issuer;
        address signer;
        address liquidator;
        address seller;
        address buyer;
        address[3] borrowers;
    }

    LendingMarket public immutable market;
    DemoCash public immutable cash;
    DemoCash public immutable token;
    SecurityPriceOracle public immutable oracle;
    LiquidationRouter public immutable router;
    DutchAuctionVenue public immutable venue;
    InsuranceFund public immutable fund;
    Actors internal _actors;

    mapping(uint256 loanId => uint256) public latestMaturity;
    mapping(uint256 loanId => uint256) public agreedThreshold;
    mapping(uint256 loanId => uint256) public agreedPenalty;
    uint256 public maxGas;

    modifier measured() {
        uint256 before = gasleft();
        _;
        uint256 used = before - gasleft();
        if (used > maxGas) maxGas = used;
    }

    constructor(
        LendingMarket market_,
        DemoCash cash_,
        DemoCash token_,
        DutchAuctionVenue venue_,
        Actors memory actors_
    ) {
        market = market_;
        cash = cash_;
        token = token_;
        venue = venue_;
        oracle = SecurityPriceOracle(market_.parts().oracle);
        router = LiquidationRouter(market_.parts().router);
        fund = InsuranceFund(market_.parts().fund);
        _actors = actors_;
    }

    /* TIME AND PRICE */

    function passTime(uint256 time, uint256 price) external measured {
        skipTime(bound(time, 1 hours, 20 days));
        _pushPrice(price);
    }

    /// A price that moves by at most a third, so that neither the step nor the hour stops it.
    function movePrice(uint256 price) external measured {
        skipTime(1 hours);
        _pushPrice(price);
    }

    /* POOL */

    function addLiquidity(uint256 amount) external measured {
        amount = bound(amount, 1_000e6, 1_000_000e6);
        if (market.isPaused()) return;
        cash.mint(_actors.lender, amount);
        vm.prank(_actors.lender);
        market.addLiquidity(amount);
    }

    function removeLiquidity(uint256 shares) external measured {
        uint256 held = market.sharesOf(_actors.lender);
        if (held == 0) return;
        shares = bound(shares, 1, held);
        if (market.toAssets(shares) > market.pool().cash) return;
        vm.prank(_actors.lender);
        market.removeLiquidity(shares);
    }

    function donate(uint256 amount) external {
        // A gift to another part of the suite; gifts to the market itself would only break the exact sum.
        cash.mint(address(fund), bound(amount, 1, 10_000e6));
    }

    /* LOANS */

    function openLoan(uint256 who, uint256 collateral, uint256 amount) external measured {
        if (market.isPaused()) return;
        collateral = bound(collateral, 10e18, 2_000e18);
        uint256 most = market.maxBorrow(collateral);
        uint256 borrowable = market.pool().borrowable;
        if (most > borrowable) most = borrowable;
        if (most < 100e6) return;
        address borrower = _actors.borrowers[who % 3];
        token.mint(borrower, collateral);
        vm.prank(borrower);
        uint256 loanId = market.openLoan(collateral, bound(amount, 100e6, most), _noPrice());
        _agree(loanId);
        _note(loanId);
    }

    function borrowMore(uint256 which, uint256 amount) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || l.rateBps != 0 || market.isPaused()) return;
        if (l.effectiveDueAt != 0 && block.timestamp > l.effectiveDueAt) return;
        uint256 debt = l.principal + l.interest;
        uint256 most = market.maxBorrow(l.collateral);
        most = most > debt ? most - debt : 0;
        uint256 borrowable = market.pool().borrowable;
        if (most > borrowable) most = borrowable;
        if (most == 0) return;
        vm.prank(l.borrower);
        market.borrowMore(loanId, bound(amount, 1, most), _noPrice());
        _agree(loanId);
    }

    function repay(uint256 which, uint256 amount) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        uint256 debt = l.principal + l.interest;
        if (l.status == LoanStatus.CLOSED || l.status == LoanStatus.NONE || debt == 0) return;
        amount = bound(amount, 1, debt);
        cash.mint(l.borrower, amount);
        uint256 price = market.toAssets(1e30);
        _beforePledgeMoves(loanId);
        vm.prank(l.borrower);
        uint256 paid = market.repay(loanId, amount);
        _afterPledgeMoved(loanId);
        assertGe(market.toAssets(1e30), price, "the share price fell at a repayment");
        LoanView memory afterwards = market.loan(loanId);
        assertEq(afterwards.principal + afterwards.interest, debt - paid, "debt fell by another amount than was paid");
    }

    function addCollateral(uint256 which, uint256 amount) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || !_mayHold(l.borrower)) return;
        amount = bound(amount, 1, 100e18);
        token.mint(l.borrower, amount);
        vm.prank(l.borrower);
        market.addCollateral(loanId, amount);
    }

    function withdrawCollateral(uint256 which, uint256 amount) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || l.collateral == 0 || market.isPaused()) return;
        uint256 debt = l.principal + l.interest;
        (uint256 threshold,) = market.loanTerms(loanId);
        uint256 needed = debt * 1e18 * 10_000 / (oracle.price() * threshold) + 1e12;
        if (debt == 0) needed = 0;
        if (l.collateral <= needed) return;
        _beforePledgeMoves(loanId);
        vm.prank(l.borrower);
        market.withdrawCollateral(loanId, bound(amount, 1, l.collateral - needed), _noPrice());
        _afterPledgeMoved(loanId);
    }

    function closeLoan(uint256 which) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || l.principal + l.interest != 0) return;
        _beforePledgeMoves(loanId);
        vm.prank(l.borrower);
        market.closeLoan(loanId);
        _afterPledgeMoved(loanId);
    }

    /* REALIZATIONS */

    function liquidate(uint256 which) external measured {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE || l.principal + l.interest == 0) return;
        bool isTerm = l.effectiveDueAt != 0 && block.timestamp > l.effectiveDueAt + l.gracePeriod;
        if (!isTerm && market.healthFactor(loanId) >= 1e18) return;
        _beforePledgeMoves(loanId);
        vm.prank(_actors.liquidator);
        market.liquidate(loanId, _noPrice());
        _afterPledgeMoved(loanId);
    }

    function sell(uint256 which, uint256 amount, uint256 proceeds) external measured {
        (uint256 id, LiquidationView memory v) = _pickLiquidation(which);
        if (id == 0 || v.settled || v.collateralRemaining == 0) return;
        vm.startPrank(_actors.seller);
        router.withdrawCollateralForSale(id, bound(amount, 1, v.collateralRemaining));
        vm.stopPrank();
        proceeds = bound(proceeds, 1, 100_000e6);
        cash.mint(_actors.seller, proceeds);
        vm.prank(_actors.seller);
        router.reportPartialSale(id, 1, proceeds);
    }

    function settle(uint256 which, uint256 proceeds) external measured {
        (uint256 id, LiquidationView memory v) = _pickLiquidation(which);
        if (id == 0 || v.settled) return;
        if (v.collateralRemaining != 0) {
            vm.prank(_actors.seller);
            router.withdrawCollateralForSale(id, v.collateralRemaining);
        }
        proceeds = bound(proceeds, 1, 300_000e6);
        cash.mint(_actors.seller, proceeds);
        uint256 loanId = market.realization(v.marketLiquidationId).loanId;
        uint256 held = cash.balanceOf(v.borrower);
        vm.prank(_actors.seller);
        router.settleLiquidation(id, proceeds);
        if (cash.balanceOf(v.borrower) != held) _checkNothingIsOwed(loanId);
    }

    /// Auction cash does not wait for what the auction left.
    function settleAuctionCash(uint256 which) external measured {
        (uint256 id, LiquidationView memory v) = _pickLiquidation(which);
        if (id == 0 || v.settled || v.proceedsCollected != 0) return;
        if (market.realization(v.marketLiquidationId).held == 0) return;
        vm.prank(_actors.seller);
        router.settleLiquidation(id, 0);
    }

    function reopen(uint256 which) external measured {
        (uint256 id, LiquidationView memory v) = _pickLiquidation(which);
        if (id == 0 || !v.settled || v.proceedsCollected != 0 || v.collateralRemaining == 0) return;
        vm.prank(_actors.admin);
        router.reopenLiquidation(id);
    }

    function writeOff(uint256 which) external measured {
        uint256 count = market.pool().realizationCounter;
        if (count == 0) return;
        uint256 id = which % count + 1;
        Realization memory r = market.realization(id);
        if (r.status != RealizationStatus.OPEN || block.timestamp <= r.seizedAt + 7 days) return;
        vm.prank(_actors.admin);
        market.handleLiquidationTimeout(id);
    }

    function bid(uint256 which, uint256 amount) external measured {
        uint256 count = venue.auctionCount();
        if (count == 0 || market.isPaused()) return;
        uint256 id = which % count + 1;
        if (!venue.auction(id).isActive || block.timestamp >= venue.endTime(id)) return;
        cash.mint(_actors.buyer, 1_000_000e6);
        vm.prank(_actors.buyer);
        venue.bidOnAuction(id, bound(amount, 1, 2_000e18), type(uint256).max);
    }

    function settleExpired(uint256 which) external measured {
        uint256 count = venue.auctionCount();
        if (count == 0 || market.isPaused()) return;
        uint256 id = which % count + 1;
        if (!venue.auction(id).isActive || block.timestamp < venue.endTime(id)) return;
        venue.settleExpiredAuction(id);
    }

    /* SALES AT ONCE */

    /// The sale recipient bids or not, with money or without, and the admin lets the router sell at once or not.
    function bidForSales(uint256 factor, uint256 purse, uint256 seed) external measured {
        address recipient = router.saleRecipient();
        purse = bound(purse, 0, 500_000e6);
        cash.mint(recipient, purse);
        vm.startPrank(recipient);
        cash.approve(address(router), seed % 3 == 0 ? 0 : purse);
        router.setSaleBid(seed % 5 == 0 ? 0 : bound(factor, 9_500, 20_000), block.timestamp + bound(seed, 1, 30 days));
        vm.stopPrank();
        vm.prank(_actors.admin);
        router.setAtomicMode(seed % 2 == 0);
    }

    function sellPending(uint256 which) external measured {
        (uint256 id, LiquidationView memory v) = _pickLiquidation(which);
        if (id == 0 || v.settled || v.collateralRemaining != v.collateralAmount || v.proceedsCollected != 0) return;
        (uint256 factor, uint256 validUntil) = router.saleBid();
        if (factor == 0 || block.timestamp > validUntil || oracle.isStale()) return;
        address recipient = router.saleRecipient();
        cash.mint(recipient, 10_000_000e6);
        vm.prank(recipient);
        cash.approve(address(router), type(uint256).max);
        uint256 loanId = market.realization(v.marketLiquidationId).loanId;
        uint256 held = cash.balanceOf(v.borrower);
        vm.prank(_actors.seller);
        uint256 payment = router.sellPending(id);
        uint256 worth = v.collateralAmount * oracle.price() / 1e18 * factor / 10_000;
        assertApproxEqAbs(payment, worth, worth / 1e6 + 2);
        if (cash.balanceOf(v.borrower) != held) _checkNothingIsOwed(loanId);
    }

    /* SETTINGS AND SWEEPS */

    /// As far as the bounds of one call let it go, any number of times.
    function changeTerms(uint256 threshold, uint256 penalty) external measured {
        MarketConfig memory config = market.config();
        uint256 current = config.liquidationThresholdBps;
        uint256 low = current < 8_501 ? 7_501 : current - 1_000;
        uint256 high = current > 8_500 ? 9_500 : current + 1_000;
        config.liquidationThresholdBps = uint16(bound(threshold, low, high));
        config.liquidationPenaltyBps = uint16(bound(penalty, 200, 5_000));
        vm.prank(_actors.issuer);
        market.setConfig(config);
    }

    function setMode(uint256 seed) external measured {
        MarketConfig memory config = market.config();
        config.useDutchAuction = seed % 2 == 0;
        config.protocolFeeBps = uint16(seed % 3_000);
        uint256 price = market.toAssets(1e30);
        vm.prank(_actors.issuer);
        market.setConfig(config);
        assertEq(market.toAssets(1e30), price, "the share price moved at a setting");
    }

    function togglePause(uint256 seed) external measured {
        vm.startPrank(_actors.admin);
        if (seed % 4 == 0) market.pause();
        else market.unpause();
        vm.stopPrank();
    }

    function raiseFloor(uint256 extra) external measured {
        uint256 floor = market.termConfig().dueFloor;
        uint256 newFloor = (floor > block.timestamp ? floor : block.timestamp) + bound(extra, 1, 10 days);
        vm.prank(_actors.issuer);
        uint256 id = market.proposeExtension(ExtensionKind.FLOOR, 0, newFloor);
        vm.prank(_actors.admin);
        market.confirmExtension(id);
    }

    function sweep(uint256 seed) external measured {
        PoolView memory p = market.pool();
        if (seed % 4 == 0 && p.infrastructureFees != 0) market.sweepInfrastructureFees();
        if (seed % 4 == 1 && p.operatorFees != 0) market.sweepOperatorFees();
        if (seed % 4 == 2 && p.protocolFees != 0) market.sweepProtocolFees();
        if (seed % 4 == 3 && market.distributorFeesPayable(_actors.lender) != 0) {
            market.sweepDistributorFees(_actors.lender);
        }
    }

    /* INTERNAL */

    /// @dev Whether new collateral can be given to the wallet.
    function _mayHold(address) internal view virtual returns (bool) {
        return true;
    }

    function _beforePledgeMoves(uint256 loanId) internal virtual {}

    function _afterPledgeMoved(uint256 loanId) internal virtual {}

    function _pushPrice(uint256 seed) internal {
        uint256 price = oracle.price();
        uint256 low = price * 2 / 3;
        uint256 high = price * 4 / 3;
        if (low < 20e6) low = 20e6;
        if (high > 500e6) high = 500e6;
        if (low > price || high < price) (low, high) = (price, price);
        vm.prank(_actors.signer);
        oracle.updatePrice(bound(seed, low, high));
    }

    function _pick(uint256 which) internal returns (uint256 loanId, LoanView memory l) {
        uint256 count = market.pool().loanCounter;
        if (count == 0) return (0, l);
        loanId = which % count + 1;
        l = market.loan(loanId);
        _note(loanId);
    }

    function _checkNothingIsOwed(uint256 loanId) private view {
        LoanView memory l = market.loan(loanId);
        Arrears memory a = market.arrearsOf(loanId);
        assertEq(l.principal + l.interest + a.lost + a.advanced, 0, "a surplus while the loan owes");
    }

    function _note(uint256 loanId) internal {
        uint256 due = market.loan(loanId).effectiveDueAt;
        assertGe(due, latestMaturity[loanId], "a maturity moved earlier");
        latestMaturity[loanId] = due;
        if (agreedThreshold[loanId] == 0 || market.loan(loanId).status == LoanStatus.CLOSED) return;
        (uint256 threshold, uint256 penalty) = market.loanTerms(loanId);
        assertGe(threshold, agreedThreshold[loanId], "the threshold of an open loan fell");
        assertLe(penalty, agreedPenalty[loanId], "the penalty of an open loan rose");
    }

    function _agree(uint256 loanId) private {
        MarketConfig memory config = market.config();
        (agreedThreshold[loanId], agreedPenalty[loanId]) =
        (config.liquidationThresholdBps, config.liquidationPenaltyBps);
    }

    function _pickLiquidation(uint256 which) internal view returns (uint256 id, LiquidationView memory v) {
        (uint256 received,,,) = router.totals();
        if (received == 0) return (0, v);
        id = which % received + 1;
        v = router.liquidation(id);
    }

    function _noPrice() internal pure returns (SignedPrice memory) {
        return SignedPrice(0, 0, 0, "");
    }
}
