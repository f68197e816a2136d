// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";
import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {SecurityPriceOracle} from "../../../src/lending/SecurityPriceOracle.sol";
import {LoanView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {BaseTest} from "../../support/BaseTest.sol";

/// @notice Loans on a share that is split again and again, of borrowers who lose their wallets. A revert is a bug.
/// @dev What a loan pledged is counted beside the market in shares of the first day, at 1e18 of them for one.
contract SplitHandler is BaseTest {
    uint256 private constant MOST_SPLITS = 8;

    LendingMarket public immutable market;
    CustodyAdapter public immutable adapter;
    StockToken public immutable stock;
    IdentityRegistry public immutable registry;
    DemoCash public immutable cash;
    SecurityPriceOracle public immutable oracle;
    address private immutable company;
    address private immutable signer;

    address[3] public borrowers;
    uint256 public splits;
    /// Shares of today for 1e18 shares of the first day, and what was pledged in those.
    uint256 public growth = 1e18;
    mapping(uint256 loanId => uint256) public pledgedAtFirst;
    uint256 private wallets;

    constructor(
        LendingMarket market_,
        StockToken stock_,
        IdentityRegistry registry_,
        DemoCash cash_,
        address company_,
        address signer_,
        address[3] memory borrowers_
    ) {
        (market, stock, registry, cash) = (market_, stock_, registry_, cash_);
        (company, signer, borrowers) = (company_, signer_, borrowers_);
        adapter = CustodyAdapter(market_.parts().adapter);
        oracle = SecurityPriceOracle(market_.parts().oracle);
    }

    function open(uint256 who, uint256 collateral, uint256 amount) external {
        if (!_isPriced()) return;
        address borrower = borrowers[who % 3];
        collateral = bound(collateral, 10e18, 1_000e18) * growth / 1e18;
        uint256 most = market.maxBorrow(collateral);
        if (most < 100e6) return;
        _issue(borrower, collateral);
        vm.prank(borrower);
        uint256 loanId = market.openLoan(collateral, bound(amount, 100e6, most), SignedPrice(0, 0, 0, ""));
        pledgedAtFirst[loanId] = collateral * 1e18 / growth;
    }

    function addCollateral(uint256 which, uint256 amount) external {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE) return;
        amount = bound(amount, 1, 100e18);
        _issue(l.borrower, amount);
        vm.prank(l.borrower);
        market.addCollateral(loanId, amount);
        pledgedAtFirst[loanId] += amount * 1e18 / growth;
    }

    function repay(uint256 which, uint256 amount) external {
        (uint256 loanId, LoanView memory l) = _pick(which);
        if (l.status != LoanStatus.ACTIVE) return;
        amount = bound(amount, 1e6, 1_000_000e6);
        cash.mint(address(this), amount);
        cash.approve(address(market), amount);
        market.repay(loanId, amount);
        if (market.loan(loanId).status == LoanStatus.CLOSED) pledgedAtFirst[loanId] = 0;
    }

    function split(uint256 seed) external {
        if (splits == MOST_SPLITS) return;
        (uint256 numerator, uint256 denominator) = seed % 3 == 0 ? (2, 1) : seed % 3 == 1 ? (3, 2) : (5, 4);
        vm.prank(company);
        stock.stockSplit(numerator, denominator, type(uint256).max);
        (growth, splits) = (growth * numerator / denominator, splits + 1);
    }

    /// The price of a share falls with every split, and goes where it wants besides.
    function movePrice(uint256 seed) external {
        skipTime(2 hours);
        uint256 price = bound(seed, 80e6, 120e6) * 1e18 / growth;
        uint256 stored = oracle.price();
        if (price < stored / 2 + 1) price = stored / 2 + 1;
        if (price > stored * 3 / 2) price = stored * 3 / 2;
        vm.prank(signer);
        oracle.updatePrice(price);
    }

    /// The register moves the borrower to another wallet, the company its free shares; anyone rebinds, or nobody.
    function loseWallet(uint256 who, uint256 seed) external {
        address lost = borrowers[who % 3];
        address found = vm.addr(uint256(keccak256(abi.encode("wallet", ++wallets))));
        registry.moveIdentity(lost, found);
        if (stock.balanceOf(lost) != 0) {
            address identity = stock.identityOfHolder(lost);
            vm.prank(company);
            stock.recoveryAddress(lost, found, identity);
        }
        borrowers[who % 3] = found;
        vm.startPrank(found);
        stock.approve(address(adapter), type(uint256).max);
        vm.stopPrank();
        if (seed % 2 == 0) return;
        uint256 count = market.pool().loanCounter;
        for (uint256 id = 1; id <= count; ++id) {
            LoanView memory l = market.loan(id);
            if (l.borrower == lost && l.status == LoanStatus.ACTIVE) market.rebindPledge(id, found);
        }
        if (adapter.escrowOf(lost) != 0) adapter.claimEscrowOfLostWallet(lost);
    }

    function _issue(address to, uint256 amount) private {
        vm.prank(company);
        stock.issue(to, amount, "capital increase");
    }

    function _pick(uint256 which) private view returns (uint256 loanId, LoanView memory l) {
        uint256 count = market.pool().loanCounter;
        if (count == 0) return (0, l);
        loanId = which % count + 1;
        l = market.loan(loanId);
        // A lost wallet signs nothing any more.
        if (registry.identity(l.borrower) == address(0)) l.status = LoanStatus.NONE;
    }

    /// @dev The adapter may not have noticed a split yet; then the price has to come after that.
    function _isPriced() private view returns (bool) {
        (uint256 numerator, uint256 denominator) = stock.splitRatio();
        bool isNoticed = adapter.splitsKnown(numerator, denominator);
        return isNoticed && oracle.updatedAt() > adapter.splitAt() && !oracle.isStale();
    }
}
