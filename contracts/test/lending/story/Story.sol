// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingDeployer} from "../../../src/lending/deploy/LendingDeployer.sol";
import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LoanStatus, MarketConfig, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice The whole life of a market, from its deployment to the last unit that leaves it. Every figure is worked out
/// here from the rules, none is read back from the market.
abstract contract Story is LendingTest {
    uint256 private constant QUARTER = 73 days;
    uint256 private constant YEAR = 365 days;

    /// One whole unit of the borrow asset, one whole token of collateral.
    uint256 internal unit;
    uint256 internal whole;
    uint256 internal poolCash;
    uint256 private infrastructure;
    uint256 private operatorFees;
    uint256 private distributorFees;
    uint256 private insurance;
    uint256 private interestOfTheRest;

    function setUp() public virtual override {
        vm.warp(1_800_000_000);
        (signer, signerKey) = makeActor("price signer");
        (borrower, borrowerKey) = makeActor("borrower");
        suite = LendingDeployer.deploy(address(this), platform);
        factory = suite.factory;
        cash = _makeCash();
        token = _makeCollateral();
        unit = 10 ** cash.decimals();
        whole = 10 ** IERC20Metadata(address(token)).decimals();
    }

    function _params() internal view virtual override returns (DeployParams memory p) {
        p = super._params();
        p.initialPrice = 100 * unit;
        p.candidates = new address[](0);
    }

    /* WHAT DIFFERS BETWEEN TOKENS */

    /// @dev Where pledged collateral is, and that nothing else of the borrower is touched.
    function _assertPledged(uint256 pledged, uint256 free) internal view virtual {
        assertEq(token.balanceOf(adapter), pledged, "custody");
        assertEq(token.balanceOf(borrower), free, "free");
    }

    /// @dev May put an obstacle before the last return, and clear it.
    function _closeFirstLoan() internal virtual {
        vm.prank(borrower);
        market.closeLoan(1);
    }

    /* THE STORY */

    function _tell() internal {
        _deploy();
        _nominateAndAdopt();
        _fund();
        _open();
        _accrue();
        _fallAndLiquidate();
        _sellInTranches();
        _settleWithSurplus();
        _repayTheRest();
        _sweep();
        _withdrawAll();
    }

    function _deploy() internal {
        factory.setDefaultFees(10 * unit, 4 * unit);
        market = LendingMarket(_deployMarket());
        _wire();
        assertTrue(factory.isMarket(address(market)));
        vm.expectRevert(IMarketErrors.MarketPendingCurator.selector);
        market.addLiquidity(1_000 * unit);
    }

    function _nominateAndAdopt() internal {
        vm.prank(deployer);
        factory.nominateCurator(address(market), lender);
        _adopt(market, lender);
        assertEq(factory.deployment(address(market)).curator, lender);
        _afterAdoption();
        MarketConfig memory config = market.config();
        config.protocolFeeBps = 500;
        vm.prank(issuer);
        market.setConfig(config);
    }

    function _fund() internal {
        poolCash = 1_000_000 * unit;
        _give(lender, poolCash);
        vm.startPrank(lender);
        cash.approve(address(market), type(uint256).max);
        assertEq(market.addLiquidity(poolCash), 1_000_000e18);
        vm.stopPrank();
        assertEq(cash.balanceOf(address(market)), poolCash);
        assertEq(cash.balanceOf(lender), 0);
    }

    function _open() internal {
        _giveCollateral(borrower, 12_000 * whole);
        vm.startPrank(borrower);
        token.approve(adapter, type(uint256).max);
        cash.approve(address(market), type(uint256).max);
        market.openLoan(9_000 * whole, 650_000 * unit, _noPrice());
        market.openLoan(2_000 * whole, 50_000 * unit, _noPrice());
        vm.stopPrank();
        poolCash -= 700_000 * unit;
        _bookFlatFee(10 * unit);
        _bookFlatFee(10 * unit);
        _assertPledged(11_000 * whole, 1_000 * whole);
        assertEq(cash.balanceOf(borrower), 699_980 * unit);
        _assertMarketHolds();
    }

    /// At a utilization of 70 % the rate is 2 % + 0.7 x 10 % = 9 %; a fifth of a year makes 1.8 %.
    function _accrue() internal {
        skipTime(QUARTER);
        assertEq(_debt(1), 661_700 * unit);
        assertEq(_debt(2), 50_900 * unit);
        _assertMarketHolds();
    }

    /// Half of 661,700 and its penalty, at 80: 4,342.40625 tokens.
    function _fallAndLiquidate() internal {
        _setPrice(80 * unit);
        _liquidate(1);
        uint256 taken = 434_240_625 * whole / 100_000;
        assertEq(token.balanceOf(address(router)), taken);
        _assertPledged(11_000 * whole - taken, 1_000 * whole);
        assertEq(market.realization(1).claim, 330_850 * unit);
        assertEq(_debt(1), 330_850 * unit);
        assertEq(market.pool().totalBorrowed, 380_850 * unit);
        _assertMarketHolds();
    }

    function _sellInTranches() internal {
        _give(seller, 760_000 * unit);
        vm.startPrank(seller);
        cash.approve(address(router), type(uint256).max);
        router.withdrawCollateralForSale(1, 2_000 * whole);
        router.reportPartialSale(1, 2_000 * whole, 160_000 * unit);
        router.withdrawCollateralForSale(1, 234_240_625 * whole / 100_000);
        vm.stopPrank();
        assertEq(token.balanceOf(address(router)), 0);
        assertEq(token.balanceOf(recipient), 434_240_625 * whole / 100_000);
        assertEq(cash.balanceOf(address(router)), 160_000 * unit);
        _assertMarketHolds();
    }

    /// 760,000: the claim 330,850, its penalty 16,542.5, the rest of the debt and its penalty, and 65,215 back.
    function _settleWithSurplus() internal {
        vm.prank(seller);
        router.settleLiquidation(1, 600_000 * unit);
        poolCash += 319_150 * unit + 330_850 * unit + 33_085 * unit;
        _bookInterest(11_700 * unit);
        assertTrue(market.realization(1).status == RealizationStatus.SETTLED);
        assertEq(cash.balanceOf(borrower), (699_980 + 65_215) * unit, "surplus");
        assertEq(cash.balanceOf(address(router)) + cash.balanceOf(seller), 0);
        assertEq(_debt(1), 0);
        _assertMarketHolds();
        _closeFirstLoan();
        assertTrue(market.loan(1).status == LoanStatus.CLOSED);
        _assertPledged(2_000 * whole, 10_000 * whole - 434_240_625 * whole / 100_000);
    }

    function _repayTheRest() internal {
        uint256 principal = 50_000 * unit;
        uint256 rate = 0.02e18 + principal * 1e18 / (poolCash + principal) / 10;
        skipTime(QUARTER);
        interestOfTheRest = (principal * (0.09e18 + rate) * QUARTER - 1) / (1e18 * YEAR) + 1;
        _repay(2, type(uint256).max);
        poolCash += principal;
        _bookInterest(interestOfTheRest);
        _bookFlatFee(4 * unit);
        assertEq(cash.balanceOf(borrower), (699_980 + 65_215 - 50_000 - 4) * unit - interestOfTheRest);
        _assertPledged(0, 12_000 * whole - 434_240_625 * whole / 100_000);
        _assertMarketHolds();
    }

    function _sweep() internal {
        assertEq(market.sweepInfrastructureFees(), infrastructure);
        assertEq(market.sweepOperatorFees(), operatorFees);
        assertEq(market.sweepDistributorFees(lender), distributorFees);
        assertEq(market.sweepProtocolFees(), insurance);
        assertEq(cash.balanceOf(platform), infrastructure);
        assertEq(cash.balanceOf(lender), operatorFees + distributorFees);
        assertEq(cash.balanceOf(address(fund)), insurance);
        assertEq(cash.balanceOf(address(market)), poolCash);
    }

    /// The one virtual unit behind every pool keeps its part: less than two units of the asset.
    function _withdrawAll() internal {
        uint256 shares = 1_000_000e18;
        uint256 due = shares * (poolCash + 1) / (shares + 1e18 / unit);
        vm.prank(lender);
        assertEq(market.removeLiquidity(shares), due);
        uint256 dust = poolCash - due;
        assertLe(dust, 1);
        assertEq(cash.balanceOf(address(market)), dust);
        assertEq(market.pool().totalShares + market.pool().activeLoans + market.pool().totalCollateral, 0);
        uint256 everywhere = cash.balanceOf(platform) + cash.balanceOf(lender) + cash.balanceOf(borrower)
            + cash.balanceOf(address(fund)) + dust;
        assertEq(everywhere, 1_760_000 * unit, "no unit came or went");
    }

    /* BOOKS */

    function _bookInterest(uint256 interest) private {
        uint256 ofInfrastructure = interest * 15 / 100;
        uint256 remainder = interest - ofInfrastructure;
        uint256 ofOperator = remainder * 8 / 100;
        uint256 ofDistributor = remainder * 5 / 100;
        uint256 left = remainder - ofOperator - ofDistributor;
        infrastructure += ofInfrastructure;
        operatorFees += ofOperator;
        distributorFees += ofDistributor;
        insurance += left * 5 / 100;
        poolCash += left - left * 5 / 100;
    }

    function _bookFlatFee(uint256 fee) private {
        operatorFees += fee * 8 / 100;
        distributorFees += fee * 5 / 100;
        infrastructure += fee - fee * 8 / 100 - fee * 5 / 100;
    }

    function _assertMarketHolds() private view {
        assertEq(
            cash.balanceOf(address(market)),
            poolCash + infrastructure + operatorFees + distributorFees + insurance,
            "what the market holds"
        );
        _assertSolvent();
    }
}
