// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {ExtensionKind} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract ExtensionsTest is LendingTest {
    uint256 private first;
    uint256 private second;
    uint256 private due;

    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        market.setTermConfig(30 days, 2 days, 0, 100);
        first = _openLoan(100e18, 5_000e6);
        second = _openLoan(100e18, 5_000e6);
        due = block.timestamp + 30 days;
    }

    function test_propose_refusals() public {
        _expectNotAuthorized(stranger, ISSUER_ROLE);
        vm.prank(stranger);
        market.proposeExtension(ExtensionKind.FLOOR, 0, due + 1);
        vm.startPrank(issuer);
        vm.expectRevert(
            abi.encodeWithSelector(IMarketErrors.InvalidExtension.selector, block.timestamp, block.timestamp)
        );
        market.proposeExtension(ExtensionKind.FLOOR, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotFound.selector, 0));
        market.proposeExtension(ExtensionKind.LOAN, 0, due + 1);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotFound.selector, 1));
        market.proposeExtension(ExtensionKind.BATCH, 1, due + 1);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotFound.selector, 9));
        market.proposeExtension(ExtensionKind.LOAN, 9, due + 1);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidExtension.selector, due, due));
        market.proposeExtension(ExtensionKind.LOAN, first, due);
        vm.stopPrank();
        vm.prank(admin);
        market.setAllowExtension(false);
        vm.prank(issuer);
        vm.expectRevert(IMarketErrors.ExtensionNotAllowed.selector);
        market.proposeExtension(ExtensionKind.LOAN, first, due + 1);
    }

    function test_propose_refusesWithoutTerms() public {
        vm.startPrank(issuer);
        market.setTermConfig(0, 2 days, 0, 0);
        vm.expectRevert(IMarketErrors.TermsNotEnabled.selector);
        market.proposeExtension(ExtensionKind.FLOOR, 0, due + 1);
        vm.stopPrank();
        uint256 untermed = _openLoan(100e18, 5_000e6);
        vm.prank(issuer);
        vm.expectRevert(IMarketErrors.TermsNotEnabled.selector);
        market.proposeExtension(ExtensionKind.LOAN, untermed, due + 1);
    }

    function test_loan_movesOnlyThatLoanAndNoRate() public {
        uint256 rate = market.pool().borrowRateWad;
        uint256 id = _propose(ExtensionKind.LOAN, first, due + 10 days);
        assertEq(market.loan(first).dueAt, due);
        _expectNotAuthorized(issuer, ADMIN_ROLE);
        vm.prank(issuer);
        market.confirmExtension(id);
        _confirm(id);
        assertEq(market.loan(first).dueAt, due + 10 days);
        assertEq(market.loan(second).dueAt, due);
        assertEq(market.termConfig().latestDueAt, due + 10 days);
        assertEq(market.pool().borrowRateWad, rate);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionConsumed.selector, id));
        market.confirmExtension(id);
    }

    function test_floor_liftsEveryLoanWithAMaturity() public {
        uint256 id = _propose(ExtensionKind.FLOOR, 0, due + 10 days);
        _confirm(id);
        assertEq(market.loan(first).dueAt, due);
        assertEq(market.loan(first).effectiveDueAt, due + 10 days);
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidExtension.selector, due + 1, due + 10 days));
        market.proposeExtension(ExtensionKind.FLOOR, 0, due + 1);
    }

    function test_batch_isAppliedByAnyoneInPagesAndThenConsumed() public {
        uint256 id = _propose(ExtensionKind.BATCH, 0, due + 10 days);
        uint256 third = _openLoan(100e18, 5_000e6);
        uint256[] memory page = new uint256[](1);
        page[0] = second;
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionNotConfirmed.selector, id));
        market.applyExtension(id, page);
        _confirm(id);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionAlreadyConfirmed.selector, id));
        market.confirmExtension(id);

        vm.prank(stranger);
        assertEq(market.applyExtension(id, page), 1);
        assertEq(market.extension(id).cursor, 0);
        page[0] = third;
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionLoanOutOfScope.selector, third, second));
        market.applyExtension(id, page);
        page = new uint256[](2);
        (page[0], page[1]) = (first, second);
        vm.expectEmit(address(market));
        emit IMarketEvents.ExtensionApplied(id, first, due + 10 days);
        assertEq(market.applyExtension(id, page), 1);
        assertTrue(market.extension(id).isConsumed);
        assertEq(market.loan(third).dueAt, due);
    }

    function test_batch_refusesEmptyLongAndLatePages() public {
        uint256 id = _propose(ExtensionKind.BATCH, 0, due + 1);
        _confirm(id);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionPageTooLong.selector, 0));
        market.applyExtension(id, new uint256[](0));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionPageTooLong.selector, 201));
        market.applyExtension(id, new uint256[](201));
        vm.warp(due + 1);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidExtension.selector, due + 1, due + 1));
        market.applyExtension(id, new uint256[](1));
    }

    function test_batch_onlyBatchesAreApplied() public {
        uint256 id = _propose(ExtensionKind.LOAN, first, due + 1);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionNotBatch.selector, id));
        market.applyExtension(id, new uint256[](1));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionNotFound.selector, 7));
        market.applyExtension(7, new uint256[](1));
    }

    function test_confirm_expiresAfterSevenDays() public {
        uint256 id = _propose(ExtensionKind.LOAN, first, due + 1);
        skipTime(7 days + 1);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionExpired.selector, id));
        market.confirmExtension(id);
    }

    function test_cancel_byIssuerOrAdmin() public {
        uint256 a = _propose(ExtensionKind.LOAN, first, due + 1);
        uint256 b = _propose(ExtensionKind.LOAN, first, due + 1);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        vm.prank(stranger);
        market.cancelExtension(a);
        vm.prank(issuer);
        market.cancelExtension(a);
        vm.prank(admin);
        market.cancelExtension(b);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExtensionConsumed.selector, b));
        market.confirmExtension(b);
    }

    function test_batch_aFullPageFitsATransaction() public {
        for (uint256 i = 0; i < 198; ++i) {
            _openLoan(2e18, 100e6);
        }
        uint256 id = _propose(ExtensionKind.BATCH, 0, due + 10 days);
        _confirm(id);
        uint256[] memory page = new uint256[](200);
        for (uint256 i = 0; i < 200; ++i) {
            page[i] = i + 1;
        }
        uint256 before = gasleft();
        assertEq(market.applyExtension(id, page), 200);
        assertLt(before - gasleft(), 16_777_216);
    }

    function _propose(ExtensionKind kind, uint256 loanId, uint256 newDueAt) private returns (uint256) {
        vm.prank(issuer);
        return market.proposeExtension(kind, loanId, newDueAt);
    }

    function _confirm(uint256 id) private {
        vm.prank(admin);
        market.confirmExtension(id);
    }
}
