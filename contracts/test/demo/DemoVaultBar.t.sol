// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoVaultBar} from "../../src/demo/DemoVaultBar.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155MetadataURI} from "@openzeppelin/contracts/token/ERC1155/extensions/IERC1155MetadataURI.sol";

contract DemoVaultBarTest is BaseTest {
    uint256 private constant GOLD_KILO = 1;

    address private _vault = makeAddress("vault");
    address private _alice = makeAddress("alice");
    DemoVaultBar private _bar;

    function setUp() public {
        _bar = new DemoVaultBar("https://demo.example/bars/{id}.json", _vault);
    }

    function test_constructor_setsWhatReadersAskFor() public view {
        assertEq(_bar.uri(GOLD_KILO), "https://demo.example/bars/{id}.json");
        assertTrue(_bar.supportsInterface(type(IERC1155).interfaceId));
        assertTrue(_bar.supportsInterface(type(IERC1155MetadataURI).interfaceId));
        assertFalse(_bar.supportsInterface(0xffffffff));
    }

    function test_deposit_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, _alice));
        vm.prank(_alice);
        _bar.deposit(_alice, GOLD_KILO, 1);
    }

    function test_deposit_revertsToTheZeroAddress() public {
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(0)));
        vm.prank(_vault);
        _bar.deposit(address(0), GOLD_KILO, 1);
    }

    function testFuzz_deposit_addsBars(uint256 id, uint256 bars) public {
        vm.prank(_vault);
        _bar.deposit(_alice, id, bars);
        assertEq(_bar.balanceOf(_alice, id), bars);
    }

    function test_withdraw_revertsBeyondTheBalance() public {
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InsufficientBalance.selector, _alice, 0, 1, GOLD_KILO)
        );
        vm.prank(_alice);
        _bar.withdraw(GOLD_KILO, 1);
    }

    function test_withdraw_takesBarsOut() public {
        vm.prank(_vault);
        _bar.deposit(_alice, GOLD_KILO, 3);
        vm.prank(_alice);
        _bar.withdraw(GOLD_KILO, 2);
        assertEq(_bar.balanceOf(_alice, GOLD_KILO), 1);
    }

    function test_setUri_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, _alice));
        vm.prank(_alice);
        _bar.setUri("x");
    }

    function test_setUri_replacesAndAnnouncesTheTemplate() public {
        vm.expectEmit(address(_bar));
        emit IERC1155.URI("ipfs://bars/{id}", 0);
        vm.prank(_vault);
        _bar.setUri("ipfs://bars/{id}");
        assertEq(_bar.uri(7), "ipfs://bars/{id}");
    }
}
