// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockERC20} from "../../src/stocks/base/StockERC20.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {AnsweringModule} from "./support/HostileModules.sol";
import {StockTest} from "./support/StockTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract StockTransferTest is StockTest {
    /* RULES, IN THEIR ORDER */

    /// Everything is wrong at once, and is put right one by one.
    function test_canTransfer_tellsTheFirstRuleThatRefuses() public {
        AnsweringModule refusing = new AnsweringModule();
        refusing.set(0, 4, 64);
        vm.startPrank(issuer);
        stock.setComplianceModule(address(refusing));
        stock.pause();
        vm.stopPrank();
        vm.startPrank(agent);
        stock.setAddressFrozen(alice, true);
        stock.setAddressFrozen(stranger, true);
        stock.freezePartialTokens(alice, 900);
        vm.stopPrank();
        registry.revoke(alice);

        _assertRefused(2_000, IStockToken.TransferRestrictionCode.PAUSED, "PAUSED");
        vm.prank(issuer);
        stock.unpause();
        _assertRefused(2_000, IStockToken.TransferRestrictionCode.INSUFFICIENT_BALANCE, "INSUFFICIENT_BALANCE");
        _assertRefused(101, IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "TOKENS_FROZEN");
        _assertRefused(100, IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "WALLET_FROZEN");
        vm.prank(agent);
        stock.setAddressFrozen(alice, false);
        _assertRefused(100, IStockToken.TransferRestrictionCode.SENDER_NOT_ELIGIBLE, "SENDER_NOT_VERIFIED");
        registry.verify(alice);
        _assertRefused(100, IStockToken.TransferRestrictionCode.RECEIVER_TOKENS_FROZEN, "WALLET_FROZEN");
        vm.prank(agent);
        stock.setAddressFrozen(stranger, false);
        _assertRefused(100, IStockToken.TransferRestrictionCode.RECEIVER_NOT_ELIGIBLE, "RECEIVER_NOT_VERIFIED");
        registry.verify(stranger);
        _assertRefused(100, IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "CUSTOM_RULE_VIOLATION");
        refusing.set(1, 0, 64);
        (IStockToken.TransferRestrictionCode code, string memory rule) = stock.canTransfer(alice, stranger, 100);
        assertEq(uint256(code), 0);
        assertEq(rule, "SUCCESS");
        vm.prank(alice);
        stock.transfer(stranger, 100);
        assertHolds(stranger, 100, 0);
    }

    function test_canTransfer_namesEveryReasonOfAModule() public {
        AnsweringModule answering = new AnsweringModule();
        vm.prank(issuer);
        stock.setComplianceModule(address(answering));
        string[6] memory names = [
            "CUSTOM_RULE_VIOLATION",
            "SENDER_LOCKED",
            "BELOW_MIN_HOLDING",
            "RECIPIENT_EXCEEDS_MAX",
            "CUSTOM_RULE_VIOLATION",
            "MODULE_FAILED"
        ];
        for (uint256 reason = 0; reason < names.length; ++reason) {
            answering.set(0, reason, 64);
            _assertRefused(1, IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, names[reason], carol);
        }
    }

    function test_transfer_refusesTheZeroAddress() public {
        registry.register(address(0), address(1));
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.RECEIVER_NOT_ELIGIBLE, "RECEIVER_NOT_VERIFIED");
        stock.transfer(address(0), 1);
    }

    /// An authorised contract neither sends nor receives by its identity, but is frozen like any other.
    function test_transfer_asksNoIdentityOfAuthorisedContracts() public {
        address vault = address(new AnsweringModule());
        vm.prank(issuer);
        stock.addAuthorizedContract(vault);
        vm.prank(alice);
        stock.transfer(vault, 300);
        vm.prank(vault);
        stock.transfer(bob, 100);
        assertHolds(vault, 200, 0);
        assertEq(stock.identityOfHolder(vault), address(0));
        vm.prank(agent);
        stock.setAddressFrozen(vault, true);
        vm.prank(vault);
        expectRestricted(IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "WALLET_FROZEN");
        stock.transfer(bob, 100);
        vm.prank(agent);
        stock.setAddressFrozen(vault, false);
        vm.prank(issuer);
        stock.removeAuthorizedContract(vault);
        vm.prank(vault);
        expectRestricted(IStockToken.TransferRestrictionCode.SENDER_NOT_ELIGIBLE, "SENDER_NOT_VERIFIED");
        stock.transfer(bob, 100);
    }

    /* BALANCES AND THE LIST OF HOLDERS */

    function testFuzz_transfer_movesExactly(uint256 amount) public {
        amount = bound(amount, 0, 1_000);
        vm.expectEmit(address(stock));
        emit IERC20.Transfer(alice, carol, amount);
        vm.prank(alice);
        stock.transfer(carol, amount);
        assertHolds(alice, 1_000 - amount, 0);
        assertHolds(carol, amount, 0);
        assertEq(stock.holderCount(), amount == 0 || amount == 1_000 ? 2 : 3);
        assertBooksAgree();
    }

    function test_transfer_toOneselfChangesNothing() public {
        vm.startPrank(alice);
        stock.transfer(alice, 1_000);
        stock.transfer(alice, 0);
        vm.stopPrank();
        assertHolds(alice, 1_000, 0);
        assertBooksAgree();
    }

    function test_holders_leaveAndReturn() public {
        vm.prank(alice);
        stock.transfer(carol, 1_000);
        assertEq(stock.holderCount(), 2);
        vm.prank(bob);
        stock.transfer(carol, 500);
        assertEq(stock.holdersAt(0, 10).length, 1);
        assertEq(stock.holdersAt(0, 10)[0], carol);
        assertEq(stock.holdersAt(1, 10).length, 0);
        vm.prank(carol);
        stock.transfer(alice, 1);
        assertEq(stock.holdersAt(1, 1)[0], alice);
        assertBooksAgree();
    }

    /* ALLOWANCES */

    function test_transferFrom_spendsTheAllowance() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidSpender.selector, address(0)));
        stock.approve(address(0), 1);
        vm.expectEmit(address(stock));
        emit IERC20.Approval(alice, stranger, 100);
        vm.prank(alice);
        stock.approve(stranger, 100);
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, stranger, 100, 101));
        stock.transferFrom(alice, bob, 101);
        stock.transferFrom(alice, bob, 60);
        vm.stopPrank();
        assertEq(stock.allowance(alice, stranger), 40);
        assertHolds(bob, 560, 0);
    }

    function test_transferFrom_leavesAnUnlimitedAllowance() public {
        vm.prank(alice);
        stock.approve(stranger, type(uint256).max);
        vm.prank(stranger);
        stock.transferFrom(alice, bob, 60);
        assertEq(stock.allowance(alice, stranger), type(uint256).max);
    }

    /* PERMIT */

    function testFuzz_permit_approves(uint256 value, uint256 deadline) public {
        deadline = bound(deadline, block.timestamp, type(uint256).max);
        (uint8 v, bytes32 r, bytes32 s) = _sign(value, 0, deadline);
        stock.permit(alice, bob, value, deadline, v, r, s);
        assertEq(stock.allowance(alice, bob), value);
        assertEq(stock.nonces(alice), 1);
    }

    function test_permit_refusesWhatIsLateOrAnothers() public {
        (uint8 v, bytes32 r, bytes32 s) = _sign(5, 0, block.timestamp - 1);
        vm.expectRevert(abi.encodeWithSelector(StockERC20.ERC2612ExpiredSignature.selector, block.timestamp - 1));
        stock.permit(alice, bob, 5, block.timestamp - 1, v, r, s);
        (v, r, s) = _sign(5, 0, block.timestamp);
        vm.expectPartialRevert(StockERC20.ERC2612InvalidSigner.selector);
        stock.permit(carol, bob, 5, block.timestamp, v, r, s);
    }

    function test_eip712Domain_isTheTokens() public view {
        (bytes1 fields, string memory name, string memory version, uint256 chainId, address target,,) =
            stock.eip712Domain();
        assertEq(uint256(uint8(fields)), 0x0f);
        assertEq(name, "Example AG");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(target, address(stock));
    }

    function _sign(uint256 value, uint256 nonce, uint256 deadline) private view returns (uint8, bytes32, bytes32) {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typehash, alice, bob, value, nonce, deadline));
        return vm.sign(aliceKey, keccak256(abi.encodePacked(hex"1901", stock.DOMAIN_SEPARATOR(), structHash)));
    }

    function _assertRefused(uint256 amount, IStockToken.TransferRestrictionCode code, string memory rule) private {
        _assertRefused(amount, code, rule, stranger);
    }

    function _assertRefused(
        uint256 amount,
        IStockToken.TransferRestrictionCode code,
        string memory rule,
        address receiver
    ) private {
        (IStockToken.TransferRestrictionCode told, string memory name) = stock.canTransfer(alice, receiver, amount);
        assertEq(uint256(told), uint256(code), rule);
        assertEq(name, rule);
        vm.prank(alice);
        expectRestricted(code, rule);
        stock.transfer(receiver, amount);
    }
}
