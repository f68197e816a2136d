// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Narrowing that reverts rather than cuts.
library CastLib {
    error DoesNotFit(uint256 value, uint256 bits);

    function u16(uint256 value) internal pure returns (uint16) {
        require(value <= type(uint16).max, DoesNotFit(value, 16));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint16(value);
    }

    function u24(uint256 value) internal pure returns (uint24) {
        require(value <= type(uint24).max, DoesNotFit(value, 24));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint24(value);
    }

    function u32(uint256 value) internal pure returns (uint32) {
        require(value <= type(uint32).max, DoesNotFit(value, 32));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint32(value);
    }

    function u40(uint256 value) internal pure returns (uint40) {
        require(value <= type(uint40).max, DoesNotFit(value, 40));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint40(value);
    }

    function u48(uint256 value) internal pure returns (uint48) {
        require(value <= type(uint48).max, DoesNotFit(value, 48));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint48(value);
    }

    function u64(uint256 value) internal pure returns (uint64) {
        require(value <= type(uint64).max, DoesNotFit(value, 64));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(value);
    }

    function u80(uint256 value) internal pure returns (uint80) {
        require(value <= type(uint80).max, DoesNotFit(value, 80));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint80(value);
    }

    function u96(uint256 value) internal pure returns (uint96) {
        require(value <= type(uint96).max, DoesNotFit(value, 96));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint96(value);
    }

    function u104(uint256 value) internal pure returns (uint104) {
        require(value <= type(uint104).max, DoesNotFit(value, 104));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint104(value);
    }

    function u120(uint256 value) internal pure returns (uint120) {
        require(value <= type(uint120).max, DoesNotFit(value, 120));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint120(value);
    }

    function u128(uint256 value) internal pure returns (uint128) {
        require(value <= type(uint128).max, DoesNotFit(value, 128));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint128(value);
    }

    function u136(uint256 value) internal pure returns (uint136) {
        require(value <= type(uint136).max, DoesNotFit(value, 136));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint136(value);
    }
}
