// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ComplianceModule} from "../../../src/stocks/ComplianceModule.sol";
import {StockFactory} from "../../../src/stocks/StockFactory.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {BaseTest} from "../../support/BaseTest.sol";
import {PlainRegistry} from "./PlainRegistry.sol";
import {StockSuite} from "./StockSuite.sol";

/// @notice A stock without decimals: alice holds 1,000, bob 500, carol nothing; all three are verified.
abstract contract StockTest is BaseTest {
    bytes32 internal constant REASON = "reason";

    address internal issuer = makeAddress("issuer");
    address internal legalOperator = makeAddress("legal operator");
    address internal subIssuer = makeAddress("sub-issuer");
    address internal controller = makeAddress("controller");
    address internal agent = makeAddress("agent");
    address internal otherAgent = makeAddress("other agent");
    address internal alice;
    uint256 internal aliceKey;
    address internal bob = makeAddress("bob");
    address internal carol = makeAddress("carol");
    address internal stranger = makeAddress("stranger");

    StockFactory internal factory;
    PlainRegistry internal registry;
    StockToken internal stock;
    ComplianceModule internal module;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        (alice, aliceKey) = makeActor("alice");
        factory = _deploySuite();
        registry = new PlainRegistry();
        (address token, address module_) = factory.deployStock(_terms(), 0, 0, "first");
        (stock, module) = (StockToken(token), ComplianceModule(module_));
        registry.verify(alice);
        registry.verify(bob);
        registry.verify(carol);
        vm.startPrank(issuer);
        stock.addSubIssuer(subIssuer);
        stock.addController(controller);
        stock.addAgent(agent);
        stock.addAgent(otherAgent);
        stock.issue(alice, 1_000, REASON);
        stock.issue(bob, 500, REASON);
        vm.stopPrank();
    }

    /// @dev By the name of its code: compiling it into every test contract takes longer than running them.
    function _deploySuite() private returns (StockFactory deployed) {
        bytes memory code = abi.encodePacked(vm.getCode("StockSuite.sol:StockSuite"), abi.encode(address(this)));
        address suite;
        assembly ("memory-safe") {
            suite := create(0, add(code, 0x20), mload(code))
        }
        deployed = StockSuite(suite).factory();
        deployed.acceptOwnership();
    }

    function _terms() internal view returns (IStockToken.StockTerms memory) {
        return IStockToken.StockTerms({
            name: "Example AG",
            symbol: "EXA",
            isin: "DE0001234567",
            metadataURI: "https://example.org/exa",
            decimals: 0,
            identityRegistry: address(registry),
            issuer: issuer,
            legalOperator: legalOperator,
            allowSubIssuers: true
        });
    }

    function _split(uint256 numerator, uint256 denominator) internal {
        vm.prank(issuer);
        stock.stockSplit(numerator, denominator, type(uint256).max);
    }

    function assertHolds(address account, uint256 balance, uint256 frozen) internal view {
        assertEq(stock.balanceOf(account), balance, "balance");
        assertEq(stock.getFrozenTokens(account), frozen, "frozen");
        assertEq(stock.transferableBalance(account), balance - frozen, "transferable");
    }

    /// @dev The holders' list is complete, and nobody else holds anything.
    function assertBooksAgree() internal view {
        uint256 sum;
        address[] memory holders = stock.holdersAt(0, type(uint256).max);
        assertEq(holders.length, stock.holderCount());
        for (uint256 i = 0; i < holders.length; ++i) {
            uint256 balance = stock.balanceOf(holders[i]);
            assertGt(balance, 0);
            assertLe(stock.getFrozenTokens(holders[i]), balance);
            sum += balance;
        }
        assertEq(sum, stock.totalSupply(), "supply");
    }

    function expectRestricted(IStockToken.TransferRestrictionCode code, string memory rule) internal {
        vm.expectRevert(abi.encodeWithSelector(IStockToken.TransferRestricted.selector, uint8(code), rule));
    }
}
