// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice ERC-20 to put behind a proxy: what a constructor would set is set by the first call of `initialize`.
contract ProxiedToken is ERC20 {
    error AlreadyInitialized();

    bool private _initialized;
    uint8 private _decimals;
    string private _name;
    string private _symbol;

    constructor() ERC20("", "") {}

    function initialize(string calldata name_, string calldata symbol_, uint8 decimals_, address holder, uint256 supply)
        external
    {
        require(!_initialized, AlreadyInitialized());
        _initialized = true;
        (_name, _symbol, _decimals) = (name_, symbol_, decimals_);
        _mint(holder, supply);
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
