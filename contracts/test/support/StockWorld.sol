// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {CollateralMode, DeployParams} from "../../src/lending/interfaces/ILendingFactory.sol";
import {StockFactory} from "../../src/stocks/StockFactory.sol";
import {StockToken} from "../../src/stocks/StockToken.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {StockSuite} from "../stocks/support/StockSuite.sol";
import {LendingTest} from "./LendingTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The deployer's world with shares of a company as collateral: the real token on the real registry.
abstract contract StockWorld is LendingTest {
    IdentityRegistry internal registry;
    StockToken internal stock;
    address internal company = makeAddress("company");
    address internal found = makeAddress("borrower's new wallet");

    function _mode() internal pure virtual returns (CollateralMode);

    function _makeCollateral() internal override returns (IERC20) {
        registry = IdentityRegistry(
            address(
                new ERC1967Proxy(
                    address(new IdentityRegistry()),
                    abi.encodeCall(IdentityRegistry.initialize, (address(this), address(this)))
                )
            )
        );
        registry.addKYCProvider(address(this), "provider");
        registry.addRegisterOperator(address(this), "operator");
        bytes memory code = abi.encodePacked(vm.getCode("StockSuite.sol:StockSuite"), abi.encode(address(this)));
        address made;
        assembly ("memory-safe") {
            made := create(0, add(code, 0x20), mload(code))
        }
        StockFactory stocks = StockSuite(made).factory();
        IStockToken.StockTerms memory terms;
        (terms.name, terms.symbol, terms.isin, terms.decimals) = ("Example AG", "EXA", "DE0001234567", 18);
        (terms.identityRegistry, terms.issuer) = (address(registry), company);
        (made,) = stocks.deployStock(terms, 0, 0, "world");
        stock = StockToken(made);
        _verify(borrower);
        _verify(recipient);
        return IERC20(made);
    }

    function _verify(address wallet) internal {
        registry.verifyIdentity(
            wallet, keccak256(abi.encode(wallet)), IIdentityClaims.InvestorType.PROFESSIONAL, 0, 0, 276
        );
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.mode = _mode();
    }

    function _afterAdoption() internal override {
        vm.startPrank(company);
        stock.addAuthorizedContract(address(router));
        if (_mode() == CollateralMode.FREEZE) stock.addAgent(adapter);
        else stock.addAuthorizedContract(adapter);
        vm.stopPrank();
    }

    function _giveCollateral(address to, uint256 amount) internal override {
        vm.prank(company);
        stock.issue(to, amount, "capital increase");
    }

    function _split(uint256 numerator, uint256 denominator) internal {
        vm.prank(company);
        stock.stockSplit(numerator, denominator, type(uint256).max);
    }

    /// @notice Register and company follow the borrower to its new wallet; the market has not been told.
    function _recoverBorrower() internal {
        registry.moveIdentity(borrower, found);
        if (stock.balanceOf(borrower) == 0) return;
        vm.prank(company);
        stock.recoveryAddress(borrower, found, borrower);
    }
}
