// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title DemoCash
/// @notice Settlement money of the demo: ERC-20 with permit (ERC-2612), minted by its owner.
contract DemoCash is ERC20, ERC20Permit, Ownable {
    uint8 private immutable _decimals;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
        Ownable(owner_)
    {
        _decimals = decimals_;
    }

    /* OWNER FUNCTIONS */

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /* VIEWS */

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
