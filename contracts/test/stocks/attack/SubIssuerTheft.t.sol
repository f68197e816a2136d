// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {Pool} from "../support/Pool.sol";
import {StockTest} from "../support/StockTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice A sub-issuer with a cap of 10 wants the shares of everybody else. The test is the market of a custody adapter.
contract SubIssuerTheftTest is StockTest {
    CustodyAdapter private adapter;
    Pool private pool;

    function setUp() public override {
        super.setUp();
        registry.verify(subIssuer);
        adapter = new CustodyAdapter(address(this), address(stock));
        pool = new Pool(stock);
        vm.startPrank(issuer);
        stock.setSubIssuerCap(subIssuer, 10);
        stock.addAuthorizedContract(address(adapter));
        stock.addAuthorizedContract(address(pool));
        vm.stopPrank();
    }

    /// Supply and counter stay where they are, so no cap would ever stop it.
    function test_attack_issueAndRedeemInTurns() public {
        for (uint256 i = 0; i < 100; ++i) {
            // 1. It issues 10 shares to itself: its cap is full.
            vm.startPrank(subIssuer);
            stock.issue(subIssuer, 10, REASON);
            // 2. It redeems 10 shares of Alice's, which would empty its cap again.
            _expectNoAllowance(10);
            stock.redeemFrom(alice, 10, REASON);
            // 3. All it can redeem is its own.
            stock.redeem(10, REASON);
            vm.stopPrank();
        }
        assertHolds(alice, 1_000, 0);
        assertHolds(subIssuer, 0, 0);
    }

    function test_attack_takeFromAWalletThatCannotEvenSend() public {
        vm.prank(subIssuer);
        stock.issue(subIssuer, 10, REASON);
        // 1. Alice is locked up, Bob's wallet is frozen.
        vm.prank(issuer);
        stock.setLockup(alice, uint64(block.timestamp + 1 days));
        vm.prank(agent);
        stock.setAddressFrozen(bob, true);
        // 2. The sub-issuer redeems for them.
        vm.startPrank(subIssuer);
        _expectNoAllowance(10);
        stock.redeemFrom(alice, 10, REASON);
        _expectNoAllowance(10);
        stock.redeemFrom(bob, 10, REASON);
    }

    function test_attack_takeFromPoolAndCustody() public {
        // 1. Alice has 400 shares in a pool and pledges 600 with a lender.
        vm.startPrank(alice);
        stock.approve(address(adapter), 600);
        stock.transfer(address(pool), 400);
        vm.stopPrank();
        adapter.lock(1, alice, 600);
        // 2. The sub-issuer empties both.
        vm.startPrank(subIssuer);
        stock.issue(subIssuer, 10, REASON);
        _expectNoAllowance(10);
        stock.redeemFrom(address(pool), 10, REASON);
        _expectNoAllowance(10);
        stock.redeemFrom(address(adapter), 10, REASON);
    }

    /// Who is locked up, frozen or unknown gives an allowance to a friend among the sub-issuers, who issues the same
    /// number to another wallet: a transfer by another name, and so under the sender's rules.
    function test_attack_redeemAroundTheRulesOfASender() public {
        vm.prank(subIssuer);
        stock.issue(carol, 10, REASON);
        vm.prank(alice);
        stock.approve(subIssuer, type(uint256).max);
        // 1. A lockup.
        vm.prank(issuer);
        stock.setLockup(alice, uint64(block.timestamp + 1 days));
        _expectRefused(alice, IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "SENDER_LOCKED");
        vm.prank(issuer);
        stock.setLockup(alice, 0);
        // 2. A frozen wallet.
        vm.prank(agent);
        stock.setAddressFrozen(alice, true);
        _expectRefused(alice, IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "WALLET_FROZEN");
        vm.prank(agent);
        stock.setAddressFrozen(alice, false);
        // 3. An identity that counts no more.
        registry.bar(alice, true);
        _expectRefused(alice, IStockToken.TransferRestrictionCode.SENDER_NOT_ELIGIBLE, "SENDER_NOT_VERIFIED");
        registry.bar(alice, false);
        // 4. Shares that are pledged.
        vm.prank(agent);
        stock.freezePartialTokens(alice, 995);
        _expectRefused(alice, IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "TOKENS_FROZEN");
        vm.prank(agent);
        stock.unfreezePartialTokens(alice, 995);
        // 5. Without all that she may give them back.
        vm.prank(subIssuer);
        stock.redeemFrom(alice, 10, REASON);
        assertHolds(alice, 990, 0);
    }

    /// Nor does the sub-issuer's own wallet get around them.
    function test_attack_redeemOnesOwnWhileLockedUp() public {
        vm.prank(subIssuer);
        stock.issue(subIssuer, 10, REASON);
        vm.prank(issuer);
        stock.setLockup(subIssuer, uint64(block.timestamp + 1 days));
        vm.startPrank(subIssuer);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "SENDER_LOCKED");
        stock.redeem(10, REASON);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "SENDER_LOCKED");
        stock.redeemFrom(subIssuer, 10, REASON);
    }

    /// The issuer ends sub-issuance with one call, without looking up whom it once appointed.
    function test_attack_goOnAfterSubIssuersWereSwitchedOff() public {
        vm.prank(subIssuer);
        stock.issue(subIssuer, 5, REASON);
        // 1. No more sub-issuers.
        vm.prank(issuer);
        stock.setSubIssuersAllowed(false);
        // 2. One that was appointed before goes on.
        vm.startPrank(subIssuer);
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.issue(subIssuer, 1, REASON);
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.batchIssue(new address[](1), new uint256[](1), REASON);
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.redeem(1, REASON);
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.redeemFrom(subIssuer, 1, REASON);
        vm.stopPrank();
        // 3. The issuer still redeems what is outstanding, and goes on itself.
        vm.startPrank(issuer);
        stock.redeemFor(subIssuer, subIssuer, 5, REASON);
        stock.issue(carol, 1, REASON);
        // 4. Allowed again, it has the role that it had.
        stock.setSubIssuersAllowed(true);
        vm.stopPrank();
        vm.prank(subIssuer);
        stock.issue(subIssuer, 10, REASON);
    }

    function _expectNoAllowance(uint256 amount) private {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, subIssuer, 0, amount));
    }

    function _expectRefused(address account, IStockToken.TransferRestrictionCode code, string memory rule) private {
        vm.prank(subIssuer);
        expectRestricted(code, rule);
        stock.redeemFrom(account, 10, REASON);
    }
}
