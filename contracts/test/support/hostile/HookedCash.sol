// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";

/// @notice Calls one contract in the middle of every transfer, as tokens with hooks do.
contract HookedCash is DemoCash {
    address public hook;

    constructor(uint8 decimals_, address owner_) DemoCash("Hooked", "HOOK", decimals_, owner_) {}

    function setHook(address newHook) external {
        hook = newHook;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (hook != address(0)) ITransferHook(hook).onTransfer(from, to, value);
    }
}

interface ITransferHook {
    function onTransfer(address from, address to, uint256 value) external;
}

/// @notice Makes one prepared call whenever it is hooked, and remembers whether it went through.
contract Reentrant is ITransferHook {
    address public target;
    bytes public data;
    uint256 public attempts;
    bool public succeeded;
    bytes public reason;

    function prepare(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function onTransfer(address, address, uint256) external {
        if (target == address(0) || succeeded) return;
        ++attempts;
        (bool success, bytes memory answer) = target.call(data);
        if (success) succeeded = true;
        else reason = answer;
    }

    function execute(address target_, bytes calldata data_) external returns (bytes memory answer) {
        bool success;
        (success, answer) = target_.call(data_);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
