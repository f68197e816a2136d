// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice How loans are priced.
/// `CURVE`: the curve. `CLAMPED`: the curve held between floor and cap. `FIXED`: one rate stamped on every new loan for
/// its life, while loans that are already variable pay the raw curve.
enum RateMode {
    CURVE,
    CLAMPED,
    FIXED
}

/// @notice Yearly rates in bps by utilization.
struct RateCurve {
    uint16 baseBps;
    uint16 multiplierBps;
    uint32 jumpBps;
    uint16 kinkBps;
}

/// @param floorBps Only `CLAMPED`.
/// @param capBps Only `CLAMPED`.
/// @param fixedBps Only `FIXED`.
struct RateOffer {
    RateMode mode;
    uint16 floorBps;
    uint16 capBps;
    uint16 fixedBps;
}

/// @notice Curve and offer in one slot: what a market keeps of its model.
struct RateTerms {
    uint16 baseBps;
    uint16 multiplierBps;
    uint32 jumpBps;
    uint16 kinkBps;
    RateMode mode;
    uint16 floorBps;
    uint16 capBps;
    uint16 fixedBps;
}

/// @notice Prices the loans of one market.
interface IInterestRateModel {
    event RateModeSet(RateMode mode, uint256 floorBps, uint256 capBps, uint256 fixedBps);
    event MaxFixedRateSet(uint256 maxFixedBps);
    event CurveSet(uint256 baseBps, uint256 multiplierBps, uint256 jumpBps, uint256 kinkBps);

    error InvalidRateOffer();
    error InvalidCurve();
    error RateAboveMaxFixed(uint256 fixedBps, uint256 maxFixedBps);
    error FixedRateRequiresTerms();
    error MaxFixedRateOnlyDecreases(uint256 maxFixedBps);
    error MaxFixedRateBelowStamp(uint256 fixedBps);

    function initialize(address market_, RateCurve calldata curve_, RateOffer calldata offer_) external;

    /// @notice Interest so far is settled at the old rate first. Only the owner.
    function setRateMode(RateMode mode, uint256 floorBps, uint256 capBps, uint256 fixedBps) external;

    /// @notice A ceiling for stamped rates that only falls and is never cleared. Only the owner.
    function setMaxFixedRate(uint256 newMaxFixedBps) external;

    /// @notice Records the ceiling that the lender of record adopted the market with. Only the market, before the handover.
    function adoptMaxFixedRate(uint256 newMaxFixedBps) external;

    /// @notice The rate of variable loans, and the rate that a new loan would be stamped with (0: variable).
    function quote(uint256 borrowed, uint256 liquidity) external view returns (uint256 rateWad, uint256 stampBps);

    /// @notice What providers earn: the borrow rate x utilization, less the infrastructure fee and `feeWad` of the rest.
    function getSupplyRate(uint256 borrowRateWad, uint256 utilizationWad, uint256 feeWad)
        external
        pure
        returns (uint256);

    /// @notice What the market copies whenever its rate is synchronized.
    function rateTerms() external view returns (RateTerms memory);

    function curve() external view returns (RateCurve memory);

    function offer() external view returns (RateOffer memory);

    /// @notice 0 while none is set.
    function maxFixedRateBps() external view returns (uint256);

    /// @notice Capability: this implementation knows a ceiling for stamped rates.
    function hasFixedRateCeiling() external pure returns (bool);
}

/// @notice What the model needs of its market.
interface IRatedMarket {
    /// @notice Settles interest at the rate in force, then takes over the model's new rate.
    function syncRate() external;

    /// @notice The term of new loans; 0 without terms.
    function maxLoanDuration() external view returns (uint256);
}
