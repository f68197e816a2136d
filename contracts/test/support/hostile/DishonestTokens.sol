// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreeToken} from "./CollateralTokens.sol";

/// @notice Takes one percent on top of every transfer from its sender, once switched on.
contract SenderFeeToken is FreeToken {
    bool public isOn;

    constructor(uint8 decimals_) FreeToken(decimals_) {}

    function setOn(bool on) external {
        isOn = on;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isOn && from != address(0) && to != address(0)) super._update(from, address(0xfee), value / 100);
        super._update(from, to, value);
    }
}

/// @notice Freezes and forces half of what it is asked for, once switched on. Everybody is an agent.
contract HalfHeartedToken is FreeToken {
    mapping(address account => uint256) public getFrozenTokens;
    bool public isOn;

    constructor() FreeToken(18) {}

    function setOn(bool on) external {
        isOn = on;
    }

    function freezePartialTokens(address account, uint256 amount) external {
        getFrozenTokens[account] += _half(amount);
    }

    function unfreezePartialTokens(address account, uint256 amount) external {
        getFrozenTokens[account] -= amount;
    }

    function forcedTransfer(address from, address to, uint256 amount) external virtual returns (bool) {
        _transfer(from, to, _half(amount));
        return true;
    }

    /// @dev It is its own registry, and every wallet its own identity.
    function identityRegistry() external view returns (address) {
        return address(this);
    }

    function identity(address wallet) external pure returns (address) {
        return wallet;
    }

    function _half(uint256 amount) private view returns (uint256) {
        return isOn ? amount / 2 : amount;
    }
}

/// @notice Keeps one percent of every forced transfer, once told to.
contract ForcedFeeToken is HalfHeartedToken {
    bool public keepsFee;

    function setKeepsFee(bool keeps) external {
        keepsFee = keeps;
    }

    function forcedTransfer(address from, address to, uint256 amount) external override returns (bool) {
        uint256 fee = keepsFee ? amount / 100 : 0;
        _transfer(from, address(0xfee), fee);
        _transfer(from, to, amount - fee);
        return true;
    }
}
