// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {MarketConfig, Realization, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A million millions of an asset with 18 decimals: nothing that is on its way home may be too wide for the books.
contract WideAmountsTest is LendingTest {
    uint256 private constant UNIT = 1e18;
    uint256 private constant TRILLION = 1e12 * UNIT;

    function setUp() public override {
        super.setUp();
        _giveCollateral(borrower, 20e9 * UNIT);
        vm.prank(oracleOwner);
        oracle.setMaxDeviation(10_000);
        MarketConfig memory config = market.config();
        config.protocolFeeBps = 500;
        vm.startPrank(issuer);
        market.setConfig(config);
        model.setRateMode(RateMode.CLAMPED, 50_000, 50_000, 0);
        vm.stopPrank();
    }

    function _makeCash() internal override returns (DemoCash) {
        return new DemoCash("Cash", "CASH", 18, address(this));
    }

    function _poolSize() internal pure override returns (uint256) {
        return TRILLION;
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.initialPrice = 100 * UNIT;
    }

    function test_repay_booksEveryLegOfTwentyYearsAtTheHighestRate() public {
        uint256 loanId = _openLoan(13e9 * UNIT, TRILLION * 9 / 10);
        skipTime(20 * 365 days);
        uint256 debt = _debt(loanId);
        assertEq(debt, TRILLION * 9 / 10 * 101);
        _give(borrower, debt);
        _repay(loanId, debt);
        PoolView memory p = market.pool();
        assertEq(p.infrastructureFees, TRILLION * 90 * 15 / 100);
        assertGt(p.operatorFees, TRILLION * 6);
        assertGt(p.distributorFees, TRILLION * 3);
        assertGt(p.protocolFees, TRILLION * 3);
        _assertSolvent();
        market.sweepInfrastructureFees();
        market.sweepOperatorFees();
        market.sweepDistributorFees(lender);
        market.sweepProtocolFees();
        _assertSolvent();
    }

    function test_settle_repaysAFundThatAdvancedHalfATrillion() public {
        _fundReserve(TRILLION / 2);
        uint256 loanId = _openLoan(13e9 * UNIT, TRILLION * 9 / 10);
        _setPrice(15 * UNIT);
        _liquidate(loanId);
        _sellAndSettle(1, TRILLION * 2);
        assertEq(market.pool().protocolFees, TRILLION / 2);
        market.sweepProtocolFees();
        assertEq(cash.balanceOf(address(fund)), TRILLION / 2);
        _assertSolvent();
    }

    function test_liquidate_aDebtOfNinetyTrillions() public {
        uint256 loanId = _openLoan(13e9 * UNIT, TRILLION * 9 / 10);
        skipTime(20 * 365 days);
        _setPrice(101 * UNIT);
        uint256 id = _liquidate(loanId);
        assertGt(market.realization(id).totalDebt, TRILLION * 90);
        _sellAndSettle(1, TRILLION * 100);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }

    function test_auction_ofADebtOfNinetyTrillions() public {
        _wireVenue();
        uint256 loanId = _openLoan(13e9 * UNIT, TRILLION * 9 / 10);
        skipTime(20 * 365 days);
        _setPrice(101 * UNIT);
        uint256 id = _liquidate(loanId);
        _give(buyer, TRILLION * 2);
        vm.prank(buyer);
        venue.bidOnAuction(1, type(uint256).max, type(uint256).max);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }

    /// All shares but a speck have left when old interest comes in: a fee per share would be beyond all bounds.
    function test_settle_interestForAPoolThatIsAllButEmpty() public {
        vm.prank(issuer);
        market.setTermConfig(364 days, 1 days, 0, 0);
        uint256 loanId = _openLoan(13e9 * UNIT, TRILLION / 10);
        skipTime(366 days);
        _setPrice(1);
        uint256 id = _liquidate(loanId);
        uint256 shares = market.sharesOf(lender);
        vm.prank(lender);
        market.removeLiquidity(shares - 1);
        _sellAndSettle(1, TRILLION);
        Realization memory r = market.realization(id);
        assertTrue(r.status == RealizationStatus.SETTLED);
        assertEq(market.pool().distributorFees, 0);
        _assertSolvent();
    }

    function test_router_holdsTheCollateralOfManyLoans() public {
        _giveCollateral(borrower, 200e9 * UNIT);
        uint256 first = _openLoan(70e9 * UNIT, TRILLION / 100);
        uint256 second = _openLoan(70e9 * UNIT, TRILLION / 100);
        _setPrice(1);
        _liquidate(first);
        _liquidate(second);
        assertEq(token.balanceOf(address(router)), 140e9 * UNIT);
    }
}
