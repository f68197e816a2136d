// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {CollateralAdapter} from "./base/CollateralAdapter.sol";
import {ICustodyAdapter} from "./interfaces/ICustodyAdapter.sol";
import {BoundedTransferLib} from "./libraries/BoundedTransferLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title CustodyAdapter
contract CustodyAdapter is ICustodyAdapter, CollateralAdapter, ReentrancyGuardTransient {
    using ExactTransferLib for IERC20;

    /* STORAGE */

    /// @param splits That the amount has been through.
    struct Escrow {
        uint128 amount;
        uint64 splits;
    }

    /// @inheritdoc ICustodyAdapter
    uint256 public totalEscrowed;
    mapping(address holder => Escrow) private _escrows;
    /// @dev Only of shares that tell their splits: what all pledges and escrows need after one.
    uint256 private _owed;

    /* CONSTRUCTOR */

    constructor(address market_, address token_) CollateralAdapter(market_, token_) {}

    /* HOLDER FUNCTIONS */

    /// @inheritdoc ICustodyAdapter
    function claimEscrowedCollateral() external nonReentrant returns (uint256 amount) {
        return _claim(msg.sender, msg.sender);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc ICustodyAdapter
    function claimEscrowOfLostWallet(address lostWallet) external nonReentrant returns (uint256 amount) {
        address successor = successorOf(lostWallet);
        require(successor != address(0), NoSuccessor(lostWallet));
        return _claim(lostWallet, successor);
    }

    /* MARKET FUNCTIONS */

    function reconcile(uint256 loanId) external view onlyMarket returns (uint256) {
        return _pledge(loanId).amount;
    }

    /// @dev The shares are here; only whom they go back to changes.
    function rebind(uint256 loanId, address newWallet)
        external
        onlyMarket
        returns (address lostWallet, uint256 amount)
    {
        Pledge memory pledge = _pledge(loanId);
        (lostWallet, amount) = (pledge.holder, pledge.amount);
        address successor = successorOf(lostWallet);
        require(successor != address(0), RebindNotSupported());
        require(successor == newWallet, NoSuccessor(lostWallet));
        if (followsSplits) _pledges[loanId].holder = newWallet;
        emit PledgeRebound(loanId, lostWallet, newWallet, amount);
    }

    /* INTERNAL */

    function _claim(address holder, address to) private returns (uint256 amount) {
        if (followsSplits) _follow();
        amount = escrowOf(holder);
        require(amount != 0, NothingEscrowed(holder));
        delete _escrows[holder];
        totalEscrowed -= amount;
        if (followsSplits) _owed -= amount;
        emit EscrowedCollateralClaimed(holder, amount);
        IERC20(token).pushCounted(to, amount);
    }

    function _take(address holder, uint256 amount) internal override {
        if (followsSplits) _owed += amount;
        IERC20(token).pullExact(holder, amount);
    }

    /// @dev Never reverts for what the token does: a holder who lost a permission must not block a repayment.
    function _giveBack(address holder, uint256 amount) internal override {
        if (BoundedTransferLib.tryTransfer(token, holder, amount)) {
            if (followsSplits) _owed -= amount;
            return;
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        _escrows[holder] = Escrow(uint128(escrowOf(holder) + amount), uint64(_splitCount()));
        totalEscrowed += amount;
        emit CollateralEscrowed(holder, amount);
    }

    function _deliver(address, address to, uint256 amount) internal override returns (uint256) {
        if (followsSplits) _owed -= amount;
        return IERC20(token).pushCounted(to, amount);
    }

    /// @dev Was checked for all pledges together, in `_covered`.
    function _growable(address, uint256 added) internal pure override returns (uint256) {
        return added;
    }

    function _grow(address, uint256) internal override {}

    /// @dev A ratio that the token only says must not let one holder take the shares of another: what is missing, everybody
    /// bears in the same part.
    function _covered(Step memory step) internal view override returns (Step memory) {
        uint256 held = IERC20(token).balanceOf(address(this));
        return held >= _scaleDown(_owed, step) ? step : Step(held, _owed);
    }

    function _scaleTotals(Step memory step) internal override {
        (_owed, totalEscrowed) = (_scaleDown(_owed, step), _scaleDown(totalEscrowed, step));
    }

    /* VIEWS */

    /// @inheritdoc ICustodyAdapter
    function escrowOf(address holder) public view returns (uint256) {
        Escrow memory escrow = _escrows[holder];
        return _scaled(escrow.amount, escrow.splits);
    }

    /// @dev In custody nothing stays on the holder's account.
    function lockedOf(address) external pure returns (uint256) {
        return 0;
    }

    function isFreeze() external pure returns (bool) {
        return false;
    }
}
