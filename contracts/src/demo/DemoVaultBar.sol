// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title DemoVaultBar
/// @notice Bars in a vault (ERC-1155): one id per kind of bar, as many units as there are bars.
contract DemoVaultBar is ERC1155, Ownable {
    /// @param uri_ Metadata URI in which clients replace `{id}`, as ERC-1155 says.
    constructor(string memory uri_, address owner_) ERC1155(uri_) Ownable(owner_) {}

    /* OWNER FUNCTIONS */

    function deposit(address to, uint256 id, uint256 bars) external onlyOwner {
        _mint(to, id, bars, "");
    }

    function setUri(string calldata newUri) external onlyOwner {
        _setURI(newUri);
        // Every id shares the one template, so the event names the first as representative of all.
        emit URI(newUri, 0);
    }

    /* HOLDER FUNCTIONS */

    function withdraw(uint256 id, uint256 bars) external {
        _burn(msg.sender, id, bars);
    }
}
