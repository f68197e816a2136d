// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SaltLib} from "../../../src/trading/libraries/SaltLib.sol";
import {Ratio} from "../../../src/trading/libraries/SplitLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract SaltLibTest is BaseTest {
    function _salt(bytes8 base, bytes8 quote) private pure returns (bytes32) {
        return bytes32(SaltLib.join(base, quote)) | bytes32(uint256(7));
    }

    function testFuzz_fits_refusesAnotherGenerationOrRatio(uint64 generation, uint64 other, uint128 a, uint128 b)
        public
        pure
    {
        bytes8 leg = SaltLib.legOf(generation, Ratio(a, b));
        bytes8 wrong = SaltLib.legOf(other, Ratio(b, a));
        if (leg == wrong) return;
        assertFalse(SaltLib.fits(_salt(wrong, 0), SaltLib.join(leg, 0)), "base");
        assertFalse(SaltLib.fits(_salt(leg, wrong), SaltLib.join(leg, leg)), "quote");
        assertFalse(SaltLib.fits(_salt(wrong, 0), SaltLib.join(0, 0)), "signed under a split, and none is known");
        assertFalse(SaltLib.fits(_salt(0, wrong), SaltLib.join(0, 0)), "so for the quote");
    }

    function test_fits_refusesEverythingWhileUnreadable() public pure {
        bytes8 none = SaltLib.UNREADABLE;
        assertFalse(SaltLib.fits(_salt(none, 0), SaltLib.join(none, 0)));
        assertFalse(SaltLib.fits(_salt(0, none), SaltLib.join(0, none)));
    }

    function testFuzz_fits_takesWhatIsAskedFor(uint64 generation, uint128 a, uint128 b, bytes32 any) public pure {
        bytes8 leg = SaltLib.legOf(generation, Ratio(a, b));
        assertTrue(SaltLib.fits(_salt(leg, leg), SaltLib.join(leg, leg)));
        bytes8 earlier = SaltLib.earlierLegOf(Ratio(2, 1));
        assertTrue(SaltLib.fits(_salt(earlier, leg), SaltLib.join(earlier, leg)));
        bool isFree = bytes4(any) != SaltLib.MARK && bytes4(any << 64) != SaltLib.MARK;
        assertEq(SaltLib.fits(any, 0), isFree, "anything, where nothing was split");
    }
}
