// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {CollateralMode, DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {Realization} from "../../../src/lending/interfaces/MarketTypes.sol";
import {ExactTransferLib} from "../../../src/libraries/ExactTransferLib.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {FeeToken} from "../../support/hostile/CollateralTokens.sol";
import {ForcedFeeToken, SenderFeeToken} from "../../support/hostile/DishonestTokens.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The collateral begins to keep a fee while loans are open: what arrives is what is booked.
contract FeeAtSeizureTest is LendingTest {
    /// Half of 7,000 and its penalty of 5 %, at 80; one percent of it never arrives.
    uint256 private constant TAKEN = 45.9375e18;
    uint256 private constant ARRIVED = TAKEN - TAKEN / 100;

    function _makeCollateral() internal override returns (IERC20) {
        return new FeeToken(18);
    }

    function _openAndFall() private returns (uint256 loanId) {
        loanId = _openLoan(100e18, 7_000e6);
        _openLoan(300e18, 7_000e6);
        FeeToken(address(token)).setOn(true);
        _setPrice(80e6);
    }

    function test_liquidate_booksWhatArrives() public {
        uint256 loanId = _openAndFall();
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralMissing(loanId, TAKEN, ARRIVED);
        Realization memory r = market.realization(_liquidate(loanId));
        assertEq(token.balanceOf(address(router)), ARRIVED);
        assertEq(router.liquidation(1).collateralRemaining, ARRIVED);
        assertEq(token.balanceOf(adapter), 400e18 - TAKEN);
        assertEq(market.loan(loanId).collateral, 100e18 - TAKEN);
        assertEq(market.pool().totalCollateral, 400e18 - TAKEN);
        // The claim is the debt that left the loan; it is counted at the floor value of what arrived.
        assertEq(r.claim, 3_500e6);
        assertEq(r.floorValue, ARRIVED * 76e6 / 1e18);
        assertEq(r.carried, r.floorValue);
        assertEq(market.pool().carriedClaims, r.floorValue);
        _sellAndSettle(1, 3_675e6);
        assertEq(market.pool().carriedClaims, 0);
        assertEq(token.balanceOf(recipient), ARRIVED - ARRIVED / 100);
        _assertSolvent();
    }

    function testFuzz_liquidate_routerAndVenueHoldWhatTheirRecordsSay(uint256 price, bool isAuction) public {
        price = bound(price, 55e6, 82e6);
        if (isAuction) _wireVenue();
        uint256 loanId = _openAndFall();
        _setPrice(price);
        _liquidate(loanId);
        if (isAuction) assertEq(token.balanceOf(address(venue)), venue.auction(1).collateral);
        else assertEq(token.balanceOf(address(router)), router.liquidation(1).collateralRemaining);
        assertEq(token.balanceOf(adapter), market.pool().totalCollateral);
        _assertSolvent();
    }

    function test_auction_refusesToSellShortAndGoesOnToTheRouter() public {
        _wireVenue();
        _liquidate(_openAndFall());
        uint256 listed = venue.auction(1).remaining;
        vm.prank(buyer);
        vm.expectPartialRevert(ExactTransferLib.ReceivedOtherAmount.selector);
        venue.bidOnAuction(1, 1e18, type(uint256).max);
        vm.warp(venue.endTime(1));
        venue.settleExpiredAuction(1);
        assertEq(token.balanceOf(address(venue)), 0);
        assertEq(token.balanceOf(address(router)), listed - listed / 100);
        assertEq(router.liquidation(1).collateralRemaining, listed - listed / 100);
    }
}

/// @notice A fee on top of what is sent would be paid with the collateral of other loans.
contract SenderFeeAtSeizureTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new SenderFeeToken(18);
    }

    function test_liquidate_revertsRatherThanTakeOtherLoansCollateral() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _openLoan(100e18, 5_000e6);
        _setPrice(80e6);
        SenderFeeToken(address(token)).setOn(true);
        vm.prank(liquidator);
        vm.expectRevert(
            abi.encodeWithSelector(
                ExactTransferLib.SentOtherAmount.selector,
                address(token),
                uint256(45.9375e18),
                uint256(45.9375e18 + 0.459375e18)
            )
        );
        market.liquidate(loanId, _noPrice());
    }
}

contract ForcedFeeAtSeizureTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new ForcedFeeToken();
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.mode = CollateralMode.FREEZE;
    }

    function test_liquidate_booksWhatArrives() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        ForcedFeeToken(address(token)).setKeepsFee(true);
        _liquidate(loanId);
        uint256 arrived = 45.9375e18 - 0.459375e18;
        assertEq(router.liquidation(1).collateralRemaining, arrived);
        assertEq(token.balanceOf(borrower), 10_000e18 - 45.9375e18);
        (, uint256 pledged) = ICollateralAdapter(adapter).pledgeOf(loanId);
        assertEq(pledged, 100e18 - 45.9375e18);
    }
}

/// @notice What was escrowed before the fee came is claimed in spite of it.
contract FeeAtClaimTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new EscrowedFeeToken();
    }

    function test_claim_takesExactlyTheEscrowFromTheAdapter() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _openLoan(100e18, 5_000e6);
        EscrowedFeeToken(address(token)).setRefuses(true);
        _repay(loanId, type(uint256).max);
        EscrowedFeeToken(address(token)).setRefuses(false);
        EscrowedFeeToken(address(token)).setOn(true);
        vm.prank(borrower);
        assertEq(CustodyAdapter(adapter).claimEscrowedCollateral(), 100e18);
        assertEq(token.balanceOf(adapter), 100e18);
        assertEq(token.balanceOf(borrower), 9_800e18 + 99e18);
    }
}

contract EscrowedFeeToken is FeeToken {
    bool public refuses;

    constructor() FeeToken(18) {}

    function setRefuses(bool isRefusing) external {
        refuses = isRefusing;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(!refuses, "refused");
        return super.transfer(to, amount);
    }
}
