// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {IRegistryModule} from "../../../src/identity/interfaces/IRegistryModule.sol";

/// @notice Allows transfers up to a limit, and no balance above another.
contract LimitModule is IRegistryModule {
    uint256 public immutable mostAmount;
    uint256 public immutable mostBalance;

    constructor(uint256 mostAmount_, uint256 mostBalance_) {
        (mostAmount, mostBalance) = (mostAmount_, mostBalance_);
    }

    function canTransfer(address, address, uint256 amount, uint256, uint256 toBalance) external view returns (bool) {
        return amount <= mostAmount && toBalance + amount <= mostBalance;
    }
}

/// @notice Answers a transfer of n units with the n-th misbehaviour.
contract HostileModule {
    IIdentityClaims public immutable registry;
    uint256 public written;

    error Thrown();

    constructor(IIdentityClaims registry_) {
        registry = registry_;
    }

    function canTransfer(address from, address to, uint256 amount, uint256, uint256) external returns (bool) {
        if (amount == 1) revert Thrown();
        if (amount == 2) while (true) {}
        if (amount == 3) _answer(2, 32);
        if (amount == 4) _answer(1, 0);
        if (amount == 5) _answer(1, 31);
        if (amount == 6) _answer(1, 64);
        if (amount == 7) _answer(1, 20_000);
        if (amount == 8) _throw(20_000);
        if (amount == 9) ++written;
        if (amount == 10) return registry.canTransfer(from, to, amount, 0, 0).allowed;
        if (amount == 11) registry.pause();
        if (amount == 12) assert(false);
        return true;
    }

    function _answer(uint256 word, uint256 size) private pure {
        assembly ("memory-safe") {
            let answer := mload(0x40)
            mstore(answer, word)
            return(answer, size)
        }
    }

    function _throw(uint256 size) private pure {
        assembly ("memory-safe") {
            revert(mload(0x40), size)
        }
    }
}

/// @notice Needs 90,000 gas inside, catches that it ran out, and then says no.
contract CautiousModule is IRegistryModule {
    function canTransfer(address, address, uint256, uint256, uint256) external view returns (bool) {
        try this.work{gas: 93_000}() {
            return true;
        } catch {
            return false;
        }
    }

    function work() external view {
        uint256 start = gasleft();
        while (start - gasleft() < 90_000) {}
    }
}
