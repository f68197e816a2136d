// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoSecurity} from "../../../src/demo/DemoSecurity.sol";
import {StockLikeToken} from "./StockLikeToken.sol";

/// @notice Delivers one short, keeps one, or reverts with much.
contract HostileSecurity is StockLikeToken {
    enum Leg {
        HONEST,
        SENDS_LESS,
        KEEPS_ONE,
        REVERTS_LOUDLY
    }

    Leg public leg;

    constructor(address issuer_) StockLikeToken(0, issuer_) {}

    function setLeg(Leg newLeg) external {
        leg = newLeg;
    }

    function isAgent(address) external pure returns (bool) {
        return true;
    }

    function forcedTransfer(address from, address to, uint256 amount) external returns (bool) {
        if (leg == Leg.REVERTS_LOUDLY) {
            assembly ("memory-safe") {
                revert(mload(0x40), 100000)
            }
        }
        if (leg == Leg.SENDS_LESS) amount -= 1;
        _transfer(from, to, amount);
        if (leg == Leg.KEEPS_ONE) _transfer(to, address(this), 1);
        return true;
    }
}

/// @notice ERC-3643 with the restriction codes of ERC-1404 besides.
contract RestrictedSecurity is DemoSecurity {
    mapping(address account => uint8) public codeOf;

    constructor(address registry, address compliance_, address owner_)
        DemoSecurity("Restricted", "RES", 0, registry, compliance_, address(0), owner_)
    {}

    function setCode(address account, uint8 code) external {
        codeOf[account] = code;
    }

    function detectTransferRestriction(address from, address to, uint256) external view returns (uint8) {
        return codeOf[from] != 0 ? codeOf[from] : codeOf[to];
    }
}
