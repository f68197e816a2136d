// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "./support/StockTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

contract StockIssuanceTest is StockTest {
    /* ISSUE */

    function test_issue_isForIssuersAndSubIssuers() public {
        bytes32 role = stock.SUB_ISSUER_ROLE();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, stranger, role));
        stock.issue(alice, 1, REASON);
        vm.prank(controller);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, controller, role));
        stock.issue(alice, 1, REASON);
    }

    function test_issue_refusesZeroPauseAndStrangers() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.issue(alice, 0, REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RecipientNotVerified.selector, stranger));
        stock.issue(stranger, 1, REASON);
        stock.pause();
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.issue(alice, 1, REASON);
    }

    function test_issue_respectsTheModule() public {
        vm.startPrank(issuer);
        stock.setDefaultLimits(1_000, 0);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "RECIPIENT_EXCEEDS_MAX");
        stock.issue(alice, 1, REASON);
        stock.issue(bob, 500, REASON);
    }

    function test_issue_staysWithinTheLargestSupply() public {
        vm.startPrank(issuer);
        stock.issue(carol, type(uint96).max - 1_500, REASON);
        assertEq(stock.totalSupply(), type(uint96).max);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SupplyTooLarge.selector, type(uint96).max, type(uint96).max));
        stock.issue(carol, 1, REASON);
        vm.expectPartialRevert(IStockToken.SupplyTooLarge.selector);
        stock.issue(carol, type(uint256).max, REASON);
        assertBooksAgree();
    }

    /// The issuer needs no second role, even where sub-issuers are not allowed.
    function testFuzz_issue_byTheIssuerCountsForNobody(uint96 amount) public {
        vm.assume(amount != 0 && amount < type(uint96).max - 1_500);
        vm.startPrank(issuer);
        stock.setSubIssuersAllowed(false);
        vm.expectEmit(address(stock));
        emit IStockToken.Issued(carol, amount, REASON, issuer);
        stock.issue(carol, amount, REASON);
        assertHolds(carol, amount, 0);
        assertEq(stock.subIssuerOutstanding(issuer), 0);
        assertEq(stock.identityOfHolder(carol), carol);
        assertBooksAgree();
    }

    function testFuzz_issue_bySubIssuersStaysWithinTheirCaps(uint96 cap, uint96 first, uint96 second) public {
        uint256 room = type(uint96).max - 1_500;
        cap = uint96(bound(cap, 1, room));
        first = uint96(bound(first, 1, cap));
        second = uint96(bound(second, 1, room));
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, cap);
        vm.startPrank(subIssuer);
        stock.issue(carol, first, REASON);
        assertEq(stock.subIssuerOutstanding(subIssuer), first);
        uint256 wanted = uint256(first) + second;
        if (wanted > cap) {
            if (wanted <= room) {
                vm.expectRevert(
                    abi.encodeWithSelector(IStockToken.SubIssuerCapExceeded.selector, subIssuer, cap, wanted)
                );
            } else {
                vm.expectPartialRevert(IStockToken.SupplyTooLarge.selector);
            }
            stock.issue(carol, second, REASON);
        } else {
            stock.issue(carol, second, REASON);
            assertEq(stock.subIssuerOutstanding(subIssuer), wanted);
        }
        assertLe(stock.subIssuerOutstanding(subIssuer), cap);
    }

    function test_setSubIssuerCap_isTheIssuers() public {
        vm.prank(stranger);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.setSubIssuerCap(subIssuer, 5);
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.AccountIsZero.selector);
        stock.setSubIssuerCap(address(0), 5);
        stock.setSubIssuerCap(subIssuer, 5);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuerCapUpdated(subIssuer, 5, 0);
        stock.setSubIssuerCap(subIssuer, 0);
        vm.stopPrank();
        vm.prank(subIssuer);
        stock.issue(carol, 1_000_000, REASON);
    }

    /* BATCHES */

    function test_batchIssue_refusesOddLists() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.NoRecipients.selector);
        stock.batchIssue(new address[](0), new uint256[](0), REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.ArrayLengthMismatch.selector, 2, 1));
        stock.batchIssue(new address[](2), new uint256[](1), REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.TooManyRecipients.selector, 201, 200));
        stock.batchIssue(new address[](201), new uint256[](201), REASON);
        stock.pause();
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.batchIssue(new address[](1), new uint256[](1), REASON);
        stock.unpause();
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.batchIssue(new address[](1), new uint256[](1), REASON);
    }

    function test_batchIssue_issuesToAllOrToNone() public {
        (address[] memory recipients, uint256[] memory amounts) = _batch(200);
        vm.expectEmit(address(stock));
        emit IStockToken.BatchIssueCompleted(200, 200, REASON);
        vm.prank(subIssuer);
        assertEq(stock.batchIssue(recipients, amounts, REASON), 200);
        assertEq(stock.balanceOf(recipients[199]), 200);
        assertEq(stock.subIssuerOutstanding(subIssuer), 20_100);
        assertBooksAgree();
        recipients[100] = stranger;
        vm.prank(subIssuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RecipientNotVerified.selector, stranger));
        stock.batchIssue(recipients, amounts, REASON);
    }

    /// Whatever gas it gets, it issues to the first few and says how many.
    function testFuzz_batchIssue_stopsBeforeItRunsOut(uint256 gasGiven) public {
        gasGiven = bound(gasGiven, 400_000, 3_000_000);
        (address[] memory recipients, uint256[] memory amounts) = _batch(60);
        vm.prank(issuer);
        uint256 processed = stock.batchIssue{gas: gasGiven}(recipients, amounts, REASON);
        assertLt(processed, 60);
        for (uint256 i = 0; i < 60; ++i) {
            assertEq(stock.balanceOf(recipients[i]), i < processed ? i + 1 : 0);
        }
        assertBooksAgree();
    }

    function test_batchIssue_doesNotCallNothingASuccess() public {
        (address[] memory recipients, uint256[] memory amounts) = _batch(1);
        vm.prank(issuer);
        vm.expectRevert(IStockToken.BatchNeedsMoreGas.selector);
        stock.batchIssue{gas: 250_000}(recipients, amounts, REASON);
    }

    function _batch(uint256 count) private returns (address[] memory recipients, uint256[] memory amounts) {
        recipients = new address[](count);
        amounts = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            recipients[i] = address(uint160(0x1000 + i));
            amounts[i] = i + 1;
            registry.verify(recipients[i]);
        }
    }

    /* REDEEM */

    function test_redeem_burnsTheCallersOwnFreeShares() public {
        vm.prank(alice);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.redeem(1, REASON);
        registry.verify(issuer);
        vm.startPrank(issuer);
        stock.issue(issuer, 100, REASON);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.redeem(0, REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, issuer, 100, 101));
        stock.redeem(101, REASON);
        vm.expectEmit(address(stock));
        emit IStockToken.Redeemed(issuer, 100, REASON, issuer);
        stock.redeem(100, REASON);
        vm.stopPrank();
        assertEq(stock.totalSupply(), 1_500);
        assertBooksAgree();
    }

    function test_redeem_bySubIssuersLowersTheirCounter() public {
        registry.verify(subIssuer);
        vm.startPrank(subIssuer);
        stock.issue(subIssuer, 100, REASON);
        stock.redeem(30, REASON);
        assertEq(stock.subIssuerOutstanding(subIssuer), 70);
        vm.stopPrank();
        vm.prank(alice);
        stock.transfer(subIssuer, 50);
        vm.prank(subIssuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SubIssuerRedemptionExceeded.selector, subIssuer, 70, 71));
        stock.redeem(71, REASON);
    }

    function test_redeemFrom_sparesWhatIsFrozen() public {
        vm.prank(agent);
        stock.freezePartialTokens(alice, 900);
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, alice, 100, 101));
        stock.redeemFrom(alice, 101, REASON);
        stock.redeemFrom(alice, 100, REASON);
        assertHolds(alice, 900, 900);
        stock.pause();
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.redeemFrom(bob, 1, REASON);
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.redeemFor(subIssuer, bob, 1, REASON);
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.redeem(1, REASON);
    }

    function testFuzz_redeemFrom_bySubIssuersSpendsAnAllowance(uint256 allowed, uint256 redeemed) public {
        allowed = bound(allowed, 0, 1_000);
        redeemed = bound(redeemed, 1, 1_000);
        vm.prank(subIssuer);
        stock.issue(carol, 1_000, REASON);
        vm.prank(alice);
        stock.approve(subIssuer, allowed);
        vm.prank(subIssuer);
        if (redeemed > allowed) {
            vm.expectRevert(
                abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, subIssuer, allowed, redeemed)
            );
            stock.redeemFrom(alice, redeemed, REASON);
        } else {
            vm.expectEmit(address(stock));
            emit IStockToken.Redeemed(alice, redeemed, REASON, subIssuer);
            stock.redeemFrom(alice, redeemed, REASON);
            assertEq(stock.allowance(alice, subIssuer), allowed - redeemed);
            assertHolds(alice, 1_000 - redeemed, 0);
        }
    }

    /// The largest allowance stands; the issuer asks for none.
    function test_redeemFrom_leavesTheLargestAllowance() public {
        vm.prank(alice);
        stock.approve(subIssuer, type(uint256).max);
        vm.startPrank(subIssuer);
        stock.issue(carol, 10, REASON);
        stock.redeemFrom(alice, 10, REASON);
        vm.stopPrank();
        assertEq(stock.allowance(alice, subIssuer), type(uint256).max);
        vm.prank(issuer);
        stock.redeemFrom(bob, 500, REASON);
        assertHolds(bob, 0, 0);
    }

    /// Nobody receives what is redeemed, so no maximum speaks against it; a minimum does.
    function test_redeemFrom_bySubIssuersKeepsToTheModule() public {
        vm.prank(subIssuer);
        stock.issue(carol, 1_000, REASON);
        vm.startPrank(issuer);
        stock.setDefaultLimits(100, 50);
        vm.stopPrank();
        vm.prank(alice);
        stock.approve(subIssuer, 1_000);
        vm.startPrank(subIssuer);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "BELOW_MIN_HOLDING");
        stock.redeemFrom(alice, 960, REASON);
        stock.redeemFrom(alice, 1_000, REASON);
    }

    function testFuzz_redeemFrom_bySubIssuersFreesTheirCaps(uint256 issued, uint256 redeemed) public {
        issued = bound(issued, 1, 1_000);
        redeemed = bound(redeemed, 1, 2_000);
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, 1_000);
        vm.prank(alice);
        stock.approve(subIssuer, 2_000);
        vm.startPrank(subIssuer);
        stock.issue(alice, issued, REASON);
        if (redeemed > 1_000 + issued) {
            expectRestricted(IStockToken.TransferRestrictionCode.INSUFFICIENT_BALANCE, "INSUFFICIENT_BALANCE");
            stock.redeemFrom(alice, redeemed, REASON);
        } else if (redeemed > issued) {
            vm.expectRevert(
                abi.encodeWithSelector(IStockToken.SubIssuerRedemptionExceeded.selector, subIssuer, issued, redeemed)
            );
            stock.redeemFrom(alice, redeemed, REASON);
        } else {
            stock.redeemFrom(alice, redeemed, REASON);
            assertEq(stock.subIssuerOutstanding(subIssuer), issued - redeemed);
            stock.issue(bob, 1_000 - issued + redeemed, REASON);
        }
    }

    function test_redeemFor_isTheIssuersAndCountsForTheSubIssuer() public {
        vm.prank(subIssuer);
        stock.issue(carol, 100, REASON);
        vm.prank(subIssuer);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.redeemFor(subIssuer, carol, 1, REASON);
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.AccountIsZero.selector);
        stock.redeemFor(address(0), carol, 1, REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SubIssuerRedemptionExceeded.selector, subIssuer, 100, 101));
        stock.redeemFor(subIssuer, alice, 101, REASON);
        stock.redeemFor(subIssuer, alice, 40, REASON);
        assertEq(stock.subIssuerOutstanding(subIssuer), 60);
        assertHolds(alice, 960, 0);
    }

    /// Who holds both roles acts as the issuer.
    function test_issue_byOneWithBothRolesCountsForNobody() public {
        vm.startPrank(issuer);
        stock.addSubIssuer(issuer);
        stock.setSubIssuerCap(issuer, 1);
        stock.issue(carol, 100, REASON);
        stock.redeemFrom(carol, 50, REASON);
        assertEq(stock.subIssuerOutstanding(issuer), 0);
    }
}
