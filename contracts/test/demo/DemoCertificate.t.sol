// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCertificate} from "../../src/demo/DemoCertificate.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

contract DemoCertificateTest is BaseTest {
    address private _issuer = makeAddress("issuer");
    address private _alice = makeAddress("alice");
    address private _bob = makeAddress("bob");
    DemoCertificate private _certificate;

    function setUp() public {
        _certificate = new DemoCertificate("Demo Certificate", "dCERT", "https://demo.example/", _issuer);
    }

    function _issueTo(address to) private returns (uint256) {
        vm.prank(_issuer);
        return _certificate.issue(to);
    }

    function test_constructor_setsWhatReadersAskFor() public view {
        assertEq(_certificate.name(), "Demo Certificate");
        assertEq(_certificate.symbol(), "dCERT");
        assertEq(_certificate.lastTokenId(), 0);
        assertTrue(_certificate.supportsInterface(type(IERC165).interfaceId));
        assertTrue(_certificate.supportsInterface(type(IERC721).interfaceId));
        assertTrue(_certificate.supportsInterface(type(IERC721Metadata).interfaceId));
        assertFalse(_certificate.supportsInterface(0xffffffff));
    }

    function test_issue_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, _alice));
        vm.prank(_alice);
        _certificate.issue(_alice);
    }

    function test_issue_revertsToAContractThatCannotReceive() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(this)));
        vm.prank(_issuer);
        _certificate.issue(address(this));
    }

    function test_issue_numbersFromOne() public {
        assertEq(_issueTo(_alice), 1);
        assertEq(_issueTo(_bob), 2);
        assertEq(_certificate.ownerOf(1), _alice);
        assertEq(_certificate.ownerOf(2), _bob);
        assertEq(_certificate.lastTokenId(), 2);
    }

    function test_surrender_revertsForAnyoneButTheHolder() public {
        uint256 tokenId = _issueTo(_alice);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, _bob, tokenId));
        vm.prank(_bob);
        _certificate.surrender(tokenId);
    }

    function test_surrender_revertsForAnUnknownCertificate() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        _certificate.surrender(9);
    }

    function test_surrender_burnsAndNeverReusesTheNumber() public {
        uint256 tokenId = _issueTo(_alice);
        vm.prank(_alice);
        _certificate.surrender(tokenId);
        assertEq(_certificate.balanceOf(_alice), 0);
        assertEq(_issueTo(_alice), tokenId + 1);
    }

    function test_tokenURI_revertsForAnUnknownCertificate() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 1));
        _certificate.tokenURI(1);
    }

    function test_tokenURI_isBaseAndNumber() public {
        _issueTo(_alice);
        assertEq(_certificate.tokenURI(1), "https://demo.example/1.json");
    }

    function test_tokenURI_isEmptyWithoutABase() public {
        _certificate = new DemoCertificate("Bare", "BARE", "", _issuer);
        _issueTo(_alice);
        assertEq(_certificate.tokenURI(1), "");
    }
}
