// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../src/demo/DemoCash.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

contract DemoCashTest is BaseTest {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    address private _treasury = makeAddress("treasury");
    address private _bob = makeAddress("bob");
    address private _alice;
    uint256 private _aliceKey;
    DemoCash private _cash;

    function setUp() public {
        (_alice, _aliceKey) = makeActor("alice");
        _cash = new DemoCash("Demo Euro", "dEUR", 6, _treasury);
    }

    function test_constructor_setsWhatReadersAskFor() public view {
        assertEq(_cash.name(), "Demo Euro");
        assertEq(_cash.symbol(), "dEUR");
        assertEq(_cash.decimals(), 6);
        assertEq(_cash.owner(), _treasury);
        assertEq(_cash.totalSupply(), 0);
    }

    function test_mint_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, _alice));
        vm.prank(_alice);
        _cash.mint(_alice, 1);
    }

    function test_mint_revertsToTheZeroAddress() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        vm.prank(_treasury);
        _cash.mint(address(0), 1);
    }

    function testFuzz_mint_addsToBalanceAndSupply(uint256 amount) public {
        vm.prank(_treasury);
        _cash.mint(_alice, amount);
        assertEq(_cash.balanceOf(_alice), amount);
        assertEq(_cash.totalSupply(), amount);
    }

    function test_transfer_revertsBeyondTheBalance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, _alice, 0, 1));
        vm.prank(_alice);
        _cash.transfer(_bob, 1);
    }

    function test_transfer_movesMoney() public {
        vm.prank(_treasury);
        _cash.mint(_alice, 10);
        vm.prank(_alice);
        assertTrue(_cash.transfer(_bob, 4));
        assertEq(_cash.balanceOf(_alice), 6);
        assertEq(_cash.balanceOf(_bob), 4);
    }

    function _permitDigest(uint256 value, uint256 deadline) private view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, _alice, _bob, value, _cash.nonces(_alice), deadline));
        return keccak256(abi.encodePacked("\x19\x01", _cash.DOMAIN_SEPARATOR(), structHash));
    }

    function test_permit_revertsAfterTheDeadline() public {
        vm.warp(1_001);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(_aliceKey, _permitDigest(5, 1_000));
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612ExpiredSignature.selector, 1_000));
        _cash.permit(_alice, _bob, 5, 1_000, v, r, s);
    }

    function test_permit_revertsForAnotherSigner() public {
        (address mallory, uint256 malloryKey) = makeActor("mallory");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(malloryKey, _permitDigest(5, 1_000));
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612InvalidSigner.selector, mallory, _alice));
        _cash.permit(_alice, _bob, 5, 1_000, v, r, s);
    }

    function testFuzz_permit_approvesOnce(uint256 value) public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(_aliceKey, _permitDigest(value, 1_000));
        _cash.permit(_alice, _bob, value, 1_000, v, r, s);
        assertEq(_cash.allowance(_alice, _bob), value);

        vm.expectPartialRevert(ERC20Permit.ERC2612InvalidSigner.selector);
        _cash.permit(_alice, _bob, value, 1_000, v, r, s);
    }
}
