// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CollateralAdapter} from "./base/CollateralAdapter.sol";
import {ICustodyAdapter} from "./interfaces/ICustodyAdapter.sol";
import {BoundedTransferLib} from "./libraries/BoundedTransferLib.sol";
import {ExactTransferLib} from "./libraries/ExactTransferLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title CustodyAdapter
contract CustodyAdapter is ICustodyAdapter, CollateralAdapter, ReentrancyGuardTransient {
    using ExactTransferLib for IERC20;

    /* STORAGE */

    /// @inheritdoc ICustodyAdapter
    mapping(address holder => uint256) public escrowOf;
    /// @inheritdoc ICustodyAdapter
    uint256 public totalEscrowed;

    /* CONSTRUCTOR */

    constructor(address market_, address token_) CollateralAdapter(market_, token_) {}

    /* HOLDER FUNCTIONS */

    /// @inheritdoc ICustodyAdapter
    function claimEscrowedCollateral() external nonReentrant returns (uint256 amount) {
        amount = escrowOf[msg.sender];
        require(amount != 0, NothingEscrowed(msg.sender));
        delete escrowOf[msg.sender];
        totalEscrowed -= amount;
        emit EscrowedCollateralClaimed(msg.sender, amount);
        IERC20(token).pushCounted(msg.sender, amount);
    }

    /* MARKET FUNCTIONS */

    function reconcile(uint256 loanId) external view onlyMarket returns (uint256) {
        return _pledges[loanId].amount;
    }

    function rebind(uint256, address) external pure returns (address, uint256) {
        revert RebindNotSupported();
    }

    /* INTERNAL */

    function _take(address holder, uint256 amount) internal override {
        IERC20(token).pullExact(holder, amount);
    }

    /// @dev Never reverts for what the token does: a holder who lost a permission must not block a repayment.
    function _giveBack(address holder, uint256 amount) internal override {
        if (BoundedTransferLib.tryTransfer(token, holder, amount)) return;
        escrowOf[holder] += amount;
        totalEscrowed += amount;
        emit CollateralEscrowed(holder, amount);
    }

    function _deliver(address, address to, uint256 amount) internal override returns (uint256) {
        return IERC20(token).pushCounted(to, amount);
    }

    /* VIEWS */

    /// @dev In custody nothing stays on the holder's account.
    function lockedOf(address) external pure returns (uint256) {
        return 0;
    }

    function isFreeze() external pure returns (bool) {
        return false;
    }
}
