// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Who gets which part of interest and of flat fees. Every part adds up to the whole.
library FeeSplitLib {
    uint256 internal constant BPS = 10_000;
    uint256 internal constant INFRASTRUCTURE_BPS = 1_500;
    uint256 internal constant OPERATOR_BPS = 800;
    uint256 internal constant DISTRIBUTOR_BPS = 500;
    /// @dev A flat fee is at most this part of the amount it is charged on.
    uint256 internal constant FLAT_FEE_CAP_BPS = 50;
    /// @dev All of it, in the scale of insurance parts: a mean of several rates needs more digits than a rate.
    uint256 internal constant WHOLE_PART = 1e12;
    uint256 internal constant PART_PER_BPS = 1e8;

    /// @notice Splits interest: infrastructure first, operator and distributor of the remainder, insurance of what is
    /// left. Every fee floors; the providers take the rest.
    function splitInterest(uint256 interest, uint256 insurancePart)
        internal
        pure
        returns (uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers)
    {
        infrastructure = interest * INFRASTRUCTURE_BPS / BPS;
        uint256 remainder = interest - infrastructure;
        operator = remainder * OPERATOR_BPS / BPS;
        distributor = remainder * DISTRIBUTOR_BPS / BPS;
        uint256 afterShares = remainder - operator - distributor;
        insurance = afterShares * insurancePart / WHOLE_PART;
        providers = afterShares - insurance;
    }

    /// @notice Splits a flat fee: 8 % operator, 5 % distributor, infrastructure the rest.
    function splitFlatFee(uint256 fee)
        internal
        pure
        returns (uint256 infrastructure, uint256 operator, uint256 distributor)
    {
        operator = fee * OPERATOR_BPS / BPS;
        distributor = fee * DISTRIBUTOR_BPS / BPS;
        infrastructure = fee - operator - distributor;
    }

    /// @notice The providers' part of interest that is not paid yet.
    /// @dev Never more than the sum of the providers' parts when the same interest is paid in any number of pieces:
    /// that is why the share price cannot fall at a repayment.
    function providersPartDown(uint256 interest, uint256 insurancePart) internal pure returns (uint256) {
        return interest * (BPS - INFRASTRUCTURE_BPS) * (BPS - OPERATOR_BPS - DISTRIBUTOR_BPS)
            * (WHOLE_PART - insurancePart) / (BPS * BPS * WHOLE_PART);
    }

    /// @notice The insurance part of interest of which `booked` has `part` and `earned` comes on top at the rate of now.
    /// @dev Rounded down, so that the providers' part of what is booked never falls.
    function meanPartDown(uint256 part, uint256 booked, uint256 insuranceBps, uint256 earned)
        internal
        pure
        returns (uint256)
    {
        uint256 added = insuranceBps * PART_PER_BPS;
        if (booked == 0 || part == added) return added;
        return (part * booked + added * earned) / (booked + earned);
    }

    /// @notice The fee for drawing or discharging `amount`.
    function flatFeeDown(uint256 flatFee, uint256 amount) internal pure returns (uint256) {
        uint256 cap = amount * FLAT_FEE_CAP_BPS / BPS;
        return flatFee < cap ? flatFee : cap;
    }

    /// @notice The fee inside `payment`, so that it is within the cap of what the rest of the payment discharges.
    function feeInsidePaymentDown(uint256 flatFee, uint256 payment) internal pure returns (uint256) {
        uint256 cap = payment * FLAT_FEE_CAP_BPS / (BPS + FLAT_FEE_CAP_BPS);
        return flatFee < cap ? flatFee : cap;
    }
}
