// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice ERC-20 tokens whose supply is in order and whose other answers are not.
abstract contract OddToken is ERC20 {
    constructor() ERC20("", "ODD") {
        _mint(msg.sender, 1_000e18);
    }
}

/// @notice `name` answers invalid UTF-8: a lone continuation byte, a cut sequence, a surrogate, an overlong slash.
contract BadUtf8Name is OddToken {
    function name() public pure override returns (string memory) {
        bytes memory raw = hex"42ad80c328eda0bdc0afff";
        return string(raw);
    }
}

/// @notice `name` answers control characters: NUL, newline, escape, right-to-left override, zero-width space.
contract ControlCharsName is OddToken {
    function name() public pure override returns (string memory) {
        return string(hex"4576696c000a0d1b5b33316de280aee2808b546f6b656e7f");
    }
}

contract RevertingName is OddToken {
    error NameRefused();

    function name() public pure override returns (string memory) {
        revert NameRefused();
    }
}

/// @notice `name` never comes to an end.
contract GasBurnerName is OddToken {
    function name() public pure override returns (string memory) {
        while (true) {}
        return "";
    }
}

/// @notice `name` answers a well-formed string of `nameSize` bytes. 10 MB cost the callee about 215 million gas.
contract HugeName is OddToken {
    uint256 public immutable nameSize;

    constructor(uint256 nameSize_) {
        nameSize = nameSize_;
    }

    function name() public view override returns (string memory) {
        uint256 size = nameSize;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, 0x20)
            mstore(add(start, 0x20), size)
            return(start, add(0x40, mul(0x20, div(add(size, 0x1f), 0x20))))
        }
    }
}

/// @notice `name` reverts with `revertSize` bytes. 1 MB costs the callee about 2.2 million gas.
contract HugeRevert is OddToken {
    uint256 public immutable revertSize;

    constructor(uint256 revertSize_) {
        revertSize = revertSize_;
    }

    function name() public view override returns (string memory) {
        uint256 size = revertSize;
        assembly ("memory-safe") {
            revert(mload(0x40), size)
        }
    }
}

/// @notice `decimals` answers 300, which no uint8 can hold.
contract BadDecimals is OddToken {
    function decimals() public pure override returns (uint8) {
        assembly ("memory-safe") {
            mstore(0, 300)
            return(0, 0x20)
        }
    }
}
