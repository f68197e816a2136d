// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../interfaces/IIdentityClaims.sol";

/// @notice What can be wrong with an identity as a provider hands it in, whoever it is about.
library IdentityInputLib {
    enum Fault {
        NONE,
        USER_IS_ZERO,
        KYC_HASH_IS_ZERO,
        INVESTOR_TYPE_IS_NONE,
        SOFT_EXPIRY_IN_THE_PAST,
        HARD_EXPIRY_IN_THE_PAST,
        SOFT_EXPIRY_NOT_BEFORE_HARD
    }

    /// @dev A batch skips what has a fault, a single call says which: one list of rules for both.
    function faultOf(IIdentityClaims.IdentityInput memory input) internal view returns (Fault) {
        if (input.user == address(0)) return Fault.USER_IS_ZERO;
        if (input.kycHash == 0) return Fault.KYC_HASH_IS_ZERO;
        if (input.investorType == IIdentityClaims.InvestorType.NONE) return Fault.INVESTOR_TYPE_IS_NONE;
        if (isOver(input.softExpiry)) return Fault.SOFT_EXPIRY_IN_THE_PAST;
        if (isOver(input.hardExpiry)) return Fault.HARD_EXPIRY_IN_THE_PAST;
        bool hasBoth = input.softExpiry != 0 && input.hardExpiry != 0;
        if (hasBoth && input.softExpiry >= input.hardExpiry) return Fault.SOFT_EXPIRY_NOT_BEFORE_HARD;
        return Fault.NONE;
    }

    function requireFaultless(IIdentityClaims.IdentityInput memory input) internal view {
        Fault fault = faultOf(input);
        if (fault == Fault.NONE) return;
        require(fault != Fault.USER_IS_ZERO, IIdentityClaims.UserIsZero());
        require(fault != Fault.KYC_HASH_IS_ZERO, IIdentityClaims.KycHashIsZero());
        require(fault != Fault.INVESTOR_TYPE_IS_NONE, IIdentityClaims.InvestorTypeIsNone());
        require(fault != Fault.SOFT_EXPIRY_IN_THE_PAST, IIdentityClaims.ExpiryInThePast(input.softExpiry));
        require(fault != Fault.HARD_EXPIRY_IN_THE_PAST, IIdentityClaims.ExpiryInThePast(input.hardExpiry));
        revert IIdentityClaims.SoftExpiryNotBeforeHard(input.softExpiry, input.hardExpiry);
    }

    /// @param expiry Seconds since 1970; 0 for none.
    function isOver(uint64 expiry) internal view returns (bool) {
        return expiry != 0 && expiry <= block.timestamp;
    }
}
