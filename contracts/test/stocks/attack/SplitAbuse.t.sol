// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {PledgeTest} from "../support/PledgeTest.sol";

/// @notice A split is half done: alice is converted, bob is not.
contract SplitAbuseTest is PledgeTest {
    function setUp() public override {
        super.setUp();
        registry.verify(issuer);
        vm.startPrank(issuer);
        stock.issue(issuer, 10, REASON);
        stock.stockSplit(2, 1, 1);
        vm.stopPrank();
        assertEq(stock.balanceOf(alice), 2_000);
        assertEq(stock.balanceOf(bob), 500);
    }

    /// Bob sends to one who was converted, alice to one who was not: either way shares would be counted twice or never.
    function test_attack_moveBetweenThePages() public {
        (IStockToken.TransferRestrictionCode code, string memory rule) = stock.canTransfer(bob, alice, 1);
        assertEq(uint256(code), uint256(IStockToken.TransferRestrictionCode.PAUSED));
        assertEq(rule, "SPLIT_UNDER_WAY");
        bytes[7] memory holders = [
            abi.encodeCall(stock.transfer, (alice, 1)),
            abi.encodeCall(stock.transfer, (carol, 1)),
            abi.encodeCall(stock.transferFrom, (bob, alice, 0)),
            abi.encodeCall(stock.transfer, (bob, 500)),
            abi.encodeCall(stock.transfer, (bob, 0)),
            abi.encodeCall(stock.transfer, (stranger, 1)),
            abi.encodeCall(stock.transfer, (alice, 501))
        ];
        for (uint256 i = 0; i < holders.length; ++i) {
            _assertRefused(bob, holders[i]);
        }
    }

    function test_attack_actBetweenThePages() public {
        bytes[8] memory issuers = [
            abi.encodeCall(stock.issue, (bob, 1, REASON)),
            abi.encodeCall(stock.batchIssue, (new address[](1), new uint256[](1), REASON)),
            abi.encodeCall(stock.redeem, (1, REASON)),
            abi.encodeCall(stock.redeemFrom, (bob, 1, REASON)),
            abi.encodeCall(stock.redeemFor, (subIssuer, bob, 1, REASON)),
            abi.encodeCall(stock.stockSplit, (2, 1, 1)),
            abi.encodeCall(stock.setSubIssuerCap, (subIssuer, 1)),
            abi.encodeCall(stock.releaseSurplus, (address(adapter), alice, 1))
        ];
        for (uint256 i = 0; i < issuers.length; ++i) {
            _assertRefused(issuer, issuers[i]);
        }
        _assertRefused(controller, abi.encodeCall(stock.freezeTokens, (bob, 1)));
        _assertRefused(controller, abi.encodeCall(stock.unfreezeTokens, (bob, 1)));
        _assertRefused(controller, abi.encodeCall(stock.forceTransfer, (bob, alice, 1, REASON)));
        _assertRefused(agent, abi.encodeCall(stock.setAddressFrozen, (bob, true)));
        _assertRefused(agent, abi.encodeCall(stock.freezePartialTokens, (bob, 1)));
        _assertRefused(agent, abi.encodeCall(stock.unfreezePartialTokens, (bob, 1)));
        _assertRefused(agent, abi.encodeCall(stock.forcedTransfer, (bob, alice, 1)));
        _assertRefused(agent, abi.encodeCall(stock.recoveryAddress, (bob, carol, bob)));
    }

    /// The issuer leaves it there, paused, and gives up: anyone ends it.
    function test_attack_abandonTheSplit() public {
        vm.prank(issuer);
        stock.pause();
        assertEq(stock.splitHoldersLeft(), 2);
        assertEq(stock.continueSplit(0), 2);
        vm.prank(stranger);
        assertEq(stock.continueSplit(1), 1);
        vm.prank(stranger);
        assertEq(stock.continueSplit(1), 0);
        assertEq(stock.totalSupply(), 3_020);
        vm.expectRevert(IStockToken.NoSplitUnderWay.selector);
        stock.continueSplit(1);
        assertHolds(bob, 1_000, 0);
        assertBooksAgree();
    }

    /// Nobody is converted twice, however often and in whatever pages it is continued.
    function testFuzz_attack_continueOften(uint8[6] memory pages) public {
        for (uint256 i = 0; i < pages.length && stock.splitHoldersLeft() != 0; ++i) {
            stock.continueSplit(pages[i] % 3);
        }
        if (stock.splitHoldersLeft() != 0) stock.continueSplit(type(uint256).max);
        assertEq(stock.balanceOf(alice), 2_000);
        assertEq(stock.balanceOf(bob), 1_000);
        assertEq(stock.totalSupply(), 3_020);
    }

    /// The lender cannot seize meanwhile; a page later it can.
    function test_attack_hidePledgesBehindASplit() public {
        vm.expectRevert(IStockToken.SplitUnderWay.selector);
        adapter.seize(1, 600, router);
        stock.continueSplit(10);
        assertEq(adapter.seize(1, 600, router), 600);
    }

    function _assertRefused(address caller, bytes memory call) private {
        vm.prank(caller);
        (bool success, bytes memory answer) = address(stock).call(call);
        assertFalse(success);
        assertEq(answer, abi.encodePacked(IStockToken.SplitUnderWay.selector));
    }
}
