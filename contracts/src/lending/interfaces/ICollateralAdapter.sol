// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Holds the pledges of one market: per loan an amount of one holder's collateral. It has no owner, and moves them
/// only at the market's word, back to their holder or to the market's router or venue. The market's record of a loan is
/// the pledge; only of shares that tell their splits the adapter keeps one of its own.
interface ICollateralAdapter {
    event Locked(uint256 indexed loanId, address indexed holder, address indexed pledgee, uint256 amount);
    event Increased(uint256 indexed loanId, uint256 amount, uint256 total);
    event Decreased(uint256 indexed loanId, uint256 amount, uint256 total);
    event Released(uint256 indexed loanId, address indexed holder, uint256 amount);
    event Enforced(uint256 indexed loanId, address indexed to, uint256 amount);
    event PledgeeSet(address indexed pledgee);
    event PledgeScaled(uint256 indexed loanId, uint256 before, uint256 amount);

    error NotMarket(address account);
    error PledgeeAlreadySet(address pledgee);
    error AmountOutOfRange(uint256 amount, uint256 max);
    error RecipientNotAllowed(address to);
    error CollateralMoved(address token, uint256 expected, uint256 moved);
    error RebindNotSupported();

    /// @notice Locks more of `holder`'s collateral for a loan. Only the market.
    function lock(uint256 loanId, address holder, uint256 amount) external;

    /// @notice Gives collateral back to the holder. Only the market.
    function release(uint256 loanId, uint256 amount) external;

    /// @notice Delivers collateral to the router or the venue. Only the market. All of `amount` leaves the pledge; what a
    /// token keeps for itself does not arrive.
    function seize(uint256 loanId, uint256 amount, address to) external returns (uint256 received);

    /// @notice Brings the pledge of a loan up to the splits of the collateral. Only the market.
    /// @return amount What is pledged now.
    /// @return pricedSince A price has to be newer than this second to value it: zero without a split, the largest number
    /// while one is under way or cannot be followed.
    function follow(uint256 loanId) external returns (uint256 amount, uint256 pricedSince);

    /// @notice Writes off what is no longer there, because another agent of the token took it, and says what is left.
    /// Only the market. Reverts while it may have been recovered to another wallet of the holder.
    function reconcile(uint256 loanId) external returns (uint256 amount);

    /// @notice Moves a pledge after the token's agent recovered the holder's wallet. Only the market. FREEZE: in the old wallet
    /// nothing may be frozen any more, and less be left than is pledged: what strangers send there changes nothing. The
    /// new one has to carry the identity that the old one had when it pledged. CUSTODY: the token itself has to say that the
    /// new wallet took the old one's place.
    function rebind(uint256 loanId, address newWallet) external returns (address lostWallet, uint256 amount);

    /// @notice Names the pledgee on record. Only the market, once.
    function setPledgee(address pledgee_) external;

    function market() external view returns (address);

    function token() external view returns (address);

    function pledgee() external view returns (address);

    /// @notice Which wallet took the place of a lost one, by the token's own record, or zero.
    function successorOf(address wallet) external view returns (address);

    /// @notice Whose collateral is locked for a loan, and how much of it.
    function pledgeOf(uint256 loanId) external view returns (address holder, uint256 amount);

    /// @notice What is locked for a loan with splits that nobody brought into the books yet.
    function pledgedNow(uint256 loanId) external view returns (uint256);

    /// @notice Everything that is locked on `holder`'s account.
    function lockedOf(address holder) external view returns (uint256);

    /// @notice Whether collateral of `FREEZE` kind stays in the holder's wallet.
    function isFreeze() external pure returns (bool);
}

/// @notice What an adapter asks its market.
interface IPledgingMarket {
    /// @notice Holder and amount, with what the market is about to lock and without what it is about to move.
    function pledgeOf(uint256 loanId) external view returns (address holder, uint256 amount);

    function router() external view returns (address);

    function auctionModule() external view returns (address);
}
