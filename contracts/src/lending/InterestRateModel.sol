// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {IVersioned} from "../base/interfaces/IVersioned.sol";
import {TwoStepOwned} from "./base/TwoStepOwned.sol";
import {
    IInterestRateModel,
    IRatedMarket,
    RateCurve,
    RateMode,
    RateOffer,
    RateTerms
} from "./interfaces/IInterestRateModel.sol";
import {FeeSplitLib} from "./libraries/FeeSplitLib.sol";
import {InterestLib} from "./libraries/InterestLib.sol";
import {RateLib} from "./libraries/RateLib.sol";

/// @title InterestRateModel
contract InterestRateModel is IInterestRateModel, TwoStepOwned, ServedUpgrade, IVersioned {
    /* CONSTANTS */

    bytes32 public constant KIND = "rateModel";
    uint256 public constant MAX_RATE_BPS = RateLib.MAX_RATE_BPS;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.InterestRateModel")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant MODEL_SLOT = 0xf6e14db45d25553285fcff149c6f485779b7c696014fc62c8634a2592d3b9100;

    /* STORAGE */

    /// @custom:storage-location erc7201:tallystick.storage.InterestRateModel
    struct ModelStorage {
        RateCurve curve;
        RateOffer offer;
        uint16 maxFixedBps;
    }

    /* CONSTRUCTOR */

    constructor(address factory_) ServedUpgrade(factory_) {}

    /// @inheritdoc IInterestRateModel
    function initialize(address market_, RateCurve calldata curve_, RateOffer calldata offer_) external initializer {
        _initOwned(market_);
        require(
            curve_.kinkBps <= 10_000 && curve_.jumpBps <= 1_000_000 && curve_.baseBps <= MAX_RATE_BPS
                && curve_.multiplierBps <= MAX_RATE_BPS,
            InvalidCurve()
        );
        _modelStorage().curve = curve_;
        emit CurveSet(curve_.baseBps, curve_.multiplierBps, curve_.jumpBps, curve_.kinkBps);
        _setOffer(offer_);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IInterestRateModel
    function setRateMode(RateMode mode, uint256 floorBps, uint256 capBps, uint256 fixedBps) external onlyOwner {
        require(floorBps <= MAX_RATE_BPS && capBps <= MAX_RATE_BPS && fixedBps <= MAX_RATE_BPS, InvalidRateOffer());
        // forge-lint: disable-next-line(unsafe-typecast)
        _setOffer(RateOffer(mode, uint16(floorBps), uint16(capBps), uint16(fixedBps)));
        require(mode != RateMode.FIXED || IRatedMarket(market()).maxLoanDuration() != 0, FixedRateRequiresTerms());
        IRatedMarket(market()).syncRate();
    }

    /// @inheritdoc IInterestRateModel
    function setMaxFixedRate(uint256 newMaxFixedBps) external onlyOwner {
        _setMaxFixed(newMaxFixedBps);
    }

    /// @inheritdoc IInterestRateModel
    function adoptMaxFixedRate(uint256 newMaxFixedBps) external {
        require(msg.sender == market() && owner() == market(), OwnableUnauthorizedAccount(msg.sender));
        _setMaxFixed(newMaxFixedBps);
    }

    function _authorizeUpgrade(address newImplementation) internal view override onlyOwner {
        _checkServed(KIND, version(), IVersioned(newImplementation).version);
    }

    /* INTERNAL */

    function _setOffer(RateOffer memory newOffer) private {
        bool isClamped = newOffer.mode == RateMode.CLAMPED;
        bool isFixed = newOffer.mode == RateMode.FIXED;
        require(
            (isClamped
                        ? newOffer.capBps != 0 && newOffer.capBps >= newOffer.floorBps
                        : newOffer.capBps == 0 && newOffer.floorBps == 0) && (isFixed == (newOffer.fixedBps != 0))
                && newOffer.capBps <= MAX_RATE_BPS && newOffer.fixedBps <= MAX_RATE_BPS,
            InvalidRateOffer()
        );
        ModelStorage storage s = _modelStorage();
        require(
            s.maxFixedBps == 0 || newOffer.fixedBps <= s.maxFixedBps,
            RateAboveMaxFixed(newOffer.fixedBps, s.maxFixedBps)
        );
        s.offer = newOffer;
        emit RateModeSet(newOffer.mode, newOffer.floorBps, newOffer.capBps, newOffer.fixedBps);
    }

    function _setMaxFixed(uint256 newMaxFixedBps) private {
        ModelStorage storage s = _modelStorage();
        uint256 current = s.maxFixedBps;
        require(newMaxFixedBps != 0 && newMaxFixedBps <= MAX_RATE_BPS, InvalidRateOffer());
        require(current == 0 || newMaxFixedBps < current, MaxFixedRateOnlyDecreases(current));
        require(newMaxFixedBps >= s.offer.fixedBps, MaxFixedRateBelowStamp(s.offer.fixedBps));
        // forge-lint: disable-next-line(unsafe-typecast)
        s.maxFixedBps = uint16(newMaxFixedBps);
        emit MaxFixedRateSet(newMaxFixedBps);
    }

    function _modelStorage() private pure returns (ModelStorage storage s) {
        assembly ("memory-safe") {
            s.slot := MODEL_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IInterestRateModel
    function quote(uint256 borrowed, uint256 liquidity) external view returns (uint256 rateWad, uint256 stampBps) {
        RateTerms memory terms = rateTerms();
        return (RateLib.rateDown(terms, borrowed, liquidity), terms.fixedBps);
    }

    /// @inheritdoc IInterestRateModel
    function getSupplyRate(uint256 borrowRateWad, uint256 utilizationWad, uint256 feeWad)
        external
        pure
        returns (uint256)
    {
        uint256 earned = borrowRateWad * utilizationWad / InterestLib.WAD;
        uint256 afterInfrastructure = earned * (FeeSplitLib.BPS - FeeSplitLib.INFRASTRUCTURE_BPS) / FeeSplitLib.BPS;
        return afterInfrastructure * (InterestLib.WAD - feeWad) / InterestLib.WAD;
    }

    /// @inheritdoc IInterestRateModel
    function rateTerms() public view returns (RateTerms memory) {
        RateCurve memory c = _modelStorage().curve;
        RateOffer memory o = _modelStorage().offer;
        return RateTerms(c.baseBps, c.multiplierBps, c.jumpBps, c.kinkBps, o.mode, o.floorBps, o.capBps, o.fixedBps);
    }

    /// @inheritdoc IInterestRateModel
    function curve() external view returns (RateCurve memory) {
        return _modelStorage().curve;
    }

    /// @inheritdoc IInterestRateModel
    function offer() external view returns (RateOffer memory) {
        return _modelStorage().offer;
    }

    /// @inheritdoc IInterestRateModel
    function maxFixedRateBps() external view returns (uint256) {
        return _modelStorage().maxFixedBps;
    }

    /// @inheritdoc IInterestRateModel
    function hasFixedRateCeiling() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IVersioned
    function version() public pure virtual returns (uint256) {
        return 2;
    }
}
