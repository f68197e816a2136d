// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Plain, with a free mint.
contract FreeToken is ERC20 {
    uint8 private immutable _decimals;

    constructor(uint8 decimals_) ERC20("Free", "FREE") {
        _decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}

/// @notice Keeps one percent of every transfer, once switched on.
contract FeeToken is FreeToken {
    bool public isOn;

    constructor(uint8 decimals_) FreeToken(decimals_) {}

    function setOn(bool on) external {
        isOn = on;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isOn && from != address(0) && to != address(0)) {
            super._update(from, address(0xfee), value / 100);
            value -= value / 100;
        }
        super._update(from, to, value);
    }
}

/// @notice Can be paused, and refuses single wallets; reverts with much data when told to.
contract GatedToken is FreeToken {
    bool public isPaused;
    bool public isLoud;
    mapping(address account => bool) public isBlocked;

    constructor(uint8 decimals_) FreeToken(decimals_) {}

    function setPaused(bool paused) external {
        isPaused = paused;
    }

    function setLoud(bool loud) external {
        isLoud = loud;
    }

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isPaused || isBlocked[to]) {
            if (isLoud) {
                assembly {
                    revert(0, 100000)
                }
            }
            revert("refused");
        }
        super._update(from, to, value);
    }
}

/// @notice Transfers answer nothing, as some early tokens do.
contract SilentToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
