// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockToken} from "../../../src/stocks/StockToken.sol";

/// @notice Compliance modules that a stock token must survive. Each answers every call in its own way.
contract RevertingModule {
    error Refused();

    fallback() external {
        revert Refused();
    }
}

contract GasBurningModule {
    fallback() external {
        while (true) {}
    }
}

/// @notice A megabyte, in answers and in reverts.
contract BombModule {
    bool public immutable isReverting;

    constructor(bool isReverting_) {
        isReverting = isReverting_;
    }

    fallback() external {
        bool reverts = isReverting;
        assembly ("memory-safe") {
            if reverts { revert(0, 1000000) }
            return(0, 1000000)
        }
    }
}

/// @notice Answers the words it was given.
contract AnsweringModule {
    uint256 public first;
    uint256 public second;
    uint256 public size = 64;

    function set(uint256 first_, uint256 second_, uint256 size_) external {
        (first, second, size) = (first_, second_, size_);
    }

    fallback() external {
        (uint256 a, uint256 b, uint256 n) = (first, second, size);
        assembly ("memory-safe") {
            mstore(0x00, a)
            mstore(0x20, b)
            return(0x00, n)
        }
    }
}

/// @notice Tries to move shares whenever it is called, and allows the transfer if it could not.
contract ReenteringModule {
    StockToken public immutable stock;
    address public immutable victim;
    address public immutable thief;
    bool public hasStolen;

    constructor(StockToken stock_, address victim_, address thief_) {
        (stock, victim, thief) = (stock_, victim_, thief_);
    }

    fallback() external {
        try stock.transferFrom(victim, thief, 1) {
            hasStolen = true;
        } catch {}
        assembly ("memory-safe") {
            mstore(0x00, 1)
            mstore(0x20, 0)
            return(0x00, 0x40)
        }
    }
}
