// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {ComplianceModule} from "../../../src/stocks/ComplianceModule.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "./StockTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice The stock of `StockTest` once more, on the real identity registry. The test holds every role of the registry.
abstract contract RegisteredStockTest is StockTest {
    IdentityRegistry internal identities;
    /// @notice The one on the plain registry.
    StockToken internal plainStock;

    function setUp() public virtual override {
        super.setUp();
        plainStock = stock;
        identities = IdentityRegistry(
            address(
                new ERC1967Proxy(
                    address(new IdentityRegistry()),
                    abi.encodeCall(IdentityRegistry.initialize, (address(this), address(this)))
                )
            )
        );
        identities.addKYCProvider(address(this), "provider");
        identities.addRegisterOperator(address(this), "operator");
        identities.addComplianceOfficer(address(this));
        IStockToken.StockTerms memory terms = _terms();
        terms.identityRegistry = address(identities);
        (address token, address module_) = factory.deployStock(terms, 0, 0, "registered");
        (stock, module) = (StockToken(token), ComplianceModule(module_));
        _verify(alice);
        _verify(bob);
        _verify(carol);
        vm.startPrank(issuer);
        stock.addSubIssuer(subIssuer);
        stock.addController(controller);
        stock.addAgent(agent);
        stock.issue(alice, 1_000, REASON);
        stock.issue(bob, 500, REASON);
        vm.stopPrank();
    }

    function _verify(address wallet) internal {
        identities.verifyIdentity(
            wallet, keccak256(abi.encode(wallet)), IIdentityClaims.InvestorType.PROFESSIONAL, 0, 0, 276
        );
    }
}
