// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title DemoCertificate
/// @notice Numbered certificates (ERC-721), issued by their owner from 1 upwards.
contract DemoCertificate is ERC721, Ownable {
    string private _base;

    uint256 public lastTokenId;

    /// @param baseUri Put before the number and `.json` to form a certificate's URI; empty for none.
    constructor(string memory name_, string memory symbol_, string memory baseUri, address owner_)
        ERC721(name_, symbol_)
        Ownable(owner_)
    {
        _base = baseUri;
    }

    /* OWNER FUNCTIONS */

    function issue(address to) external onlyOwner returns (uint256 tokenId) {
        tokenId = ++lastTokenId;
        _safeMint(to, tokenId);
    }

    /* HOLDER FUNCTIONS */

    function surrender(uint256 tokenId) external {
        _update(address(0), tokenId, msg.sender);
    }

    /* VIEWS */

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        return bytes(_base).length == 0 ? "" : string.concat(_base, Strings.toString(tokenId), ".json");
    }
}
