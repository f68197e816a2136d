// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ratio} from "./SplitLib.sol";

/// @notice How a salt begins: eight bytes for what is traded, eight for what is paid with. They tell which shares an order
/// means, so that a split of either ends it.
library SaltLib {
    /// @dev Begins what is asked for after a split. Where none is known, no salt may begin so: it was signed under one.
    bytes4 internal constant MARK = 0x53504c54;
    bytes8 private constant HEAD = 0xffffffff00000000;
    /// @dev For as long as the splits of a token cannot be read, which need not be for ever.
    bytes8 internal constant UNREADABLE = 0xffffffffffffffff;

    /// @notice After a change of the ratio that was seen, or would be.
    /// @param generation Counts the changes, so that a ratio that comes back is another.
    function legOf(uint256 generation, Ratio memory ratio) internal pure returns (bytes8) {
        bytes8 tail = bytes8(bytes4(keccak256(abi.encode(generation, ratio.numerator, ratio.denominator))));
        // Never a tail of zeros, which would mean that only the head counts.
        return bytes8(MARK) | (tail >> 32) | bytes8(uint64(1));
    }

    /// @notice As version 1 of the vault asked for it: four bytes, none without a split.
    function earlierLegOf(Ratio memory ratio) internal pure returns (bytes8) {
        if (ratio.numerator == ratio.denominator) return 0;
        return bytes8(bytes4(keccak256(abi.encode(ratio.numerator, ratio.denominator))));
    }

    function join(bytes8 base, bytes8 quote) internal pure returns (bytes16) {
        return bytes16(base) | (bytes16(quote) >> 64);
    }

    function fits(bytes32 salt, bytes16 prefix) internal pure returns (bool) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return _fits(bytes8(salt), bytes8(prefix)) && _fits(bytes8(salt << 64), bytes8(prefix << 64));
    }

    function _fits(bytes8 part, bytes8 leg) private pure returns (bool) {
        if (leg == UNREADABLE) return false;
        bytes8 head = part & HEAD;
        if (leg == 0) return head != bytes8(MARK);
        return leg & HEAD == leg ? head == leg : part == leg;
    }
}
