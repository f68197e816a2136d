// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice A token that asks no register: contracts may hold it once its owner has put them on a list.
contract AllowListToken is ERC20, Ownable {
    mapping(address account => bool) public isAuthorizedContract;

    error ContractNotAuthorized(address account);

    constructor(address owner_) ERC20("Listed", "LIST") Ownable(owner_) {}

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function addAuthorizedContract(address account) external onlyOwner {
        isAuthorizedContract[account] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(to.code.length == 0 || isAuthorizedContract[to], ContractNotAuthorized(to));
        super._update(from, to, value);
    }
}
