// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICollateralAdapter, IPledgingMarket} from "../interfaces/ICollateralAdapter.sol";
import {TokenFactsLib} from "../libraries/TokenFactsLib.sol";
import {SplitFollower} from "./SplitFollower.sol";

/// @title CollateralAdapter
abstract contract CollateralAdapter is ICollateralAdapter, SplitFollower {
    struct Pledge {
        address holder;
        uint96 amount;
    }

    /* IMMUTABLES */

    /// @inheritdoc ICollateralAdapter
    address public immutable market;
    /// @inheritdoc ICollateralAdapter
    address public immutable token;

    /* STORAGE */

    /// @inheritdoc ICollateralAdapter
    address public pledgee;
    /// @dev Only of shares that tell their splits, as all below.
    mapping(uint256 loanId => Pledge) internal _pledges;
    /// @dev Splits that a pledge has been through.
    mapping(uint256 loanId => uint256) private _splitsOf;

    modifier onlyMarket() {
        require(msg.sender == market, NotMarket(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address market_, address token_) SplitFollower(token_) {
        market = market_;
        token = token_;
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc ICollateralAdapter
    function setPledgee(address pledgee_) external onlyMarket {
        require(pledgee == address(0), PledgeeAlreadySet(pledgee));
        pledgee = pledgee_;
        emit PledgeeSet(pledgee_);
    }

    /// @inheritdoc ICollateralAdapter
    function follow(uint256 loanId) external onlyMarket returns (uint256 amount, uint256 pricedSince) {
        if (!followsSplits) return (_pledge(loanId).amount, 0);
        pricedSince = _follow() ? splitAt : type(uint256).max;
        Pledge memory pledge = _pledges[loanId];
        amount = _scaledPledge(loanId, pledge.amount);
        if (pledge.amount == 0 || _splitsOf[loanId] == _splitCount()) return (amount, pricedSince);
        uint256 added = _growable(pledge.holder, amount - pledge.amount);
        if (added == 0 && amount != pledge.amount) return (pledge.amount, type(uint256).max);
        amount = pledge.amount + added;
        // forge-lint: disable-next-line(unsafe-typecast)
        _pledges[loanId].amount = uint96(amount);
        _splitsOf[loanId] = _splitCount();
        emit PledgeScaled(loanId, pledge.amount, amount);
        _grow(pledge.holder, added);
    }

    /// @inheritdoc ICollateralAdapter
    function lock(uint256 loanId, address holder, uint256 amount) external onlyMarket {
        Pledge memory pledge = _pledge(loanId);
        if (!followsSplits) {
            require(amount != 0 && amount <= pledge.amount, AmountOutOfRange(amount, pledge.amount));
            if (amount == pledge.amount) emit Locked(loanId, holder, pledgee, amount);
            else emit Increased(loanId, amount, pledge.amount);
            return _take(holder, amount);
        }
        uint256 total = pledge.amount + amount;
        require(amount != 0 && total <= type(uint96).max, AmountOutOfRange(amount, type(uint96).max - pledge.amount));
        if (pledge.holder == address(0)) {
            pledge.holder = holder;
            if (followsSplits && _splitCount() != 0) _splitsOf[loanId] = _splitCount();
            emit Locked(loanId, holder, pledgee, amount);
        } else {
            emit Increased(loanId, amount, total);
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        _pledges[loanId] = Pledge(pledge.holder, uint96(total));
        _take(pledge.holder, amount);
    }

    /// @inheritdoc ICollateralAdapter
    function release(uint256 loanId, uint256 amount) external onlyMarket {
        (address holder, uint256 left) = _decrease(loanId, amount);
        if (left == 0) emit Released(loanId, holder, amount);
        else emit Decreased(loanId, amount, left);
        _giveBack(holder, amount);
    }

    /// @inheritdoc ICollateralAdapter
    function seize(uint256 loanId, uint256 amount, address to) external onlyMarket returns (uint256 received) {
        require(
            to != address(0)
                && (to == IPledgingMarket(market).router() || to == IPledgingMarket(market).auctionModule()),
            RecipientNotAllowed(to)
        );
        (address holder,) = _decrease(loanId, amount);
        emit Enforced(loanId, to, amount);
        received = _deliver(holder, to, amount);
    }

    /* INTERNAL */

    function _decrease(uint256 loanId, uint256 amount) private returns (address holder, uint256 left) {
        Pledge memory pledge = _pledge(loanId);
        if (!followsSplits) {
            require(amount != 0, AmountOutOfRange(amount, pledge.amount));
            return (pledge.holder, pledge.amount);
        }
        require(amount != 0 && amount <= pledge.amount, AmountOutOfRange(amount, pledge.amount));
        left = pledge.amount - amount;
        holder = pledge.holder;
        // forge-lint: disable-next-line(unsafe-typecast)
        _pledges[loanId].amount = uint96(left);
    }

    /// @dev Only splits change a pledge without the market: where there are none, its record of the loan is the pledge.
    function _pledge(uint256 loanId) internal view returns (Pledge memory pledge) {
        if (followsSplits) return _pledges[loanId];
        (address holder, uint256 amount) = IPledgingMarket(market).pledgeOf(loanId);
        // forge-lint: disable-next-line(unsafe-typecast)
        return Pledge(holder, uint96(amount));
    }

    /// @dev More than a pledge can hold stays uncounted; no share has so many.
    function _scaledPledge(uint256 loanId, uint256 amount) private view returns (uint256) {
        amount = _scaled(amount, _splitsOf[loanId]);
        return amount < type(uint96).max ? amount : type(uint96).max;
    }

    /// @dev As much of what a split is said to have added to a pledge as is really there.
    function _growable(address holder, uint256 added) internal view virtual returns (uint256);

    /// @notice A split added to a pledge.
    function _grow(address holder, uint256 added) internal virtual;

    function _take(address holder, uint256 amount) internal virtual;

    function _giveBack(address holder, uint256 amount) internal virtual;

    function _deliver(address holder, address to, uint256 amount) internal virtual returns (uint256 received);

    /* VIEWS */

    /// @inheritdoc ICollateralAdapter
    function pledgeOf(uint256 loanId) external view returns (address holder, uint256 amount) {
        Pledge memory pledge = _pledge(loanId);
        return (pledge.holder, pledge.amount);
    }

    /// @inheritdoc ICollateralAdapter
    function pledgedNow(uint256 loanId) external view returns (uint256) {
        uint256 amount = _pledge(loanId).amount;
        return followsSplits ? _projected(_scaledPledge(loanId, amount)) : amount;
    }

    /// @inheritdoc ICollateralAdapter
    function successorOf(address wallet) public view returns (address) {
        return TokenFactsLib.successorOf(token, wallet);
    }
}
