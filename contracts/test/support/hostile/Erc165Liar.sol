// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Says yes to every interface id, 0xffffffff included, and implements none of them.
contract Erc165Liar {
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }
}
