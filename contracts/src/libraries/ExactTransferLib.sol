// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice Transfers in which what is booked is what arrived.
library ExactTransferLib {
    using SafeERC20 for IERC20;

    error ReceivedOtherAmount(address token, uint256 expected, uint256 received);
    error SentOtherAmount(address token, uint256 expected, uint256 sent);

    function pullExact(IERC20 token, address from, uint256 amount) internal {
        uint256 before = _balanceOf(token, address(this));
        token.safeTransferFrom(from, address(this), amount);
        uint256 received = _balanceOf(token, address(this)) - before;
        require(received == amount, ReceivedOtherAmount(address(token), amount, received));
    }

    /// @notice Sends exactly `amount` and says what arrived: a token's fee is the recipient's.
    /// @dev More than `amount` may not leave: the rest here is somebody else's.
    function pushCounted(IERC20 token, address to, uint256 amount) internal returns (uint256 received) {
        uint256 held = _balanceOf(token, address(this));
        uint256 before = _balanceOf(token, to);
        token.safeTransfer(to, amount);
        received = _balanceOf(token, to) - before;
        uint256 sent = held - _balanceOf(token, address(this));
        require(sent == amount, SentOtherAmount(address(token), amount, sent));
        require(received != 0 && received <= amount, ReceivedOtherAmount(address(token), amount, received));
    }

    /// @dev Measures the recipient: a token that takes its fee from the recipient's side would short-change it.
    function pushExact(IERC20 token, address to, uint256 amount) internal {
        uint256 before = _balanceOf(token, to);
        token.safeTransfer(to, amount);
        uint256 received = _balanceOf(token, to) - before;
        require(received == amount, ReceivedOtherAmount(address(token), amount, received));
    }

    /// @dev As `token.balanceOf`, for half of its gas.
    function _balanceOf(IERC20 token, address account) private view returns (uint256 held) {
        bytes4 selector = IERC20.balanceOf.selector;
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, shr(96, shl(96, account)))
            let isAnswered := staticcall(gas(), token, 0x00, 0x24, 0x00, 0x20)
            if iszero(isAnswered) {
                let data := mload(0x40)
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
            if lt(returndatasize(), 0x20) { revert(0x00, 0x00) }
            held := mload(0x00)
        }
    }
}
