// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {FreeToken, SilentToken} from "../../support/hostile/CollateralTokens.sol";
import {Story} from "./Story.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Plain ERC-20s of six decimals on both sides.
contract SixDecimalsStoryTest is Story {
    function _makeCollateral() internal override returns (IERC20) {
        return new FreeToken(6);
    }

    function test_story_sixDecimals() public {
        _tell();
    }
}

/// @notice Plain ERC-20s of eighteen decimals on both sides.
contract EighteenDecimalsStoryTest is Story {
    function _makeCash() internal override returns (DemoCash) {
        return new DemoCash("Cash", "CASH", 18, address(this));
    }

    function _makeCollateral() internal override returns (IERC20) {
        return new FreeToken(18);
    }

    function test_story_eighteenDecimals() public {
        _tell();
    }
}

/// @notice Neither token answers its transfers.
contract SilentStoryTest is Story {
    function _makeCash() internal override returns (DemoCash) {
        return DemoCash(address(new SilentToken()));
    }

    function _makeCollateral() internal override returns (IERC20) {
        return IERC20(address(new SilentToken()));
    }

    function test_story_transfersThatAnswerNothing() public {
        _tell();
    }
}
