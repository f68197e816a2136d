// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {CollateralMode, DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {StockFactory} from "../../../src/stocks/StockFactory.sol";
import {StockToken} from "../../../src/stocks/StockToken.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {Story} from "../../lending/story/Story.sol";
import {StockSuite} from "../support/StockSuite.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Shares of a company as collateral, through the whole life of a market: loans, a liquidation on the router, a
/// repayment. Identities are those of the real registry; nobody may hold more than 12,000 shares.
abstract contract StockStory is Story {
    IdentityRegistry internal registry;
    StockToken internal stock;
    address internal company = makeAddress("company");

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
        address suite_;
        assembly ("memory-safe") {
            suite_ := create(0, add(code, 0x20), mload(code))
        }
        StockFactory stocks = StockSuite(suite_).factory();
        IStockToken.StockTerms memory terms;
        (terms.name, terms.symbol, terms.isin, terms.decimals) = ("Example AG", "EXA", "DE0001234567", 18);
        (terms.identityRegistry, terms.issuer) = (address(registry), company);
        (address made,) = stocks.deployStock(terms, 12_000e18, 0, "story");
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

    function _mode() internal pure virtual returns (CollateralMode);

    /// @dev The router holds what it sells without an identity.
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
}

/// @notice The company pauses its stock just when the first loan ends.
contract StockFreezeStoryTest is StockStory {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.FREEZE;
    }

    function _assertPledged(uint256 pledged, uint256 free) internal view override {
        assertEq(stock.frozenBy(adapter, borrower), pledged, "pledged");
        assertEq(stock.transferableBalance(borrower), free, "free");
        assertEq(stock.balanceOf(adapter), 0);
    }

    function _closeFirstLoan() internal override {
        vm.prank(company);
        stock.pause();
        super._closeFirstLoan();
        vm.prank(company);
        stock.unpause();
    }

    function test_story_stockInTheHoldersWallet() public {
        _tell();
        assertEq(stock.holderCount(), 2);
        assertEq(stock.totalSupply(), 12_000e18);
    }

    /// The borrower loses its wallet with two loans on it: register, company and market follow, in this order.
    function test_story_theBorrowerLosesItsWallet() public {
        _deploy();
        _nominateAndAdopt();
        _fund();
        _open();
        address found = makeAddress("borrower's new wallet");
        registry.moveIdentity(borrower, found);
        vm.prank(company);
        stock.recoveryAddress(borrower, found, borrower);
        assertEq(stock.frozenBy(adapter, found), 11_000e18);
        market.rebindPledge(1, found);
        market.rebindPledge(2, found);
        _repay(2, type(uint256).max);
        assertEq(stock.frozenBy(adapter, found), 9_000e18);
        _setPrice(75 * unit);
        _liquidate(1);
        assertGt(stock.balanceOf(address(router)), 0);
        assertEq(stock.balanceOf(address(router)) + stock.balanceOf(found), 12_000e18);
        assertEq(stock.frozenBy(adapter, found), 9_000e18 - stock.balanceOf(address(router)));
    }
}

/// @notice The borrower's identity is revoked while its loan is open, and verified again.
contract StockCustodyStoryTest is StockStory {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function _closeFirstLoan() internal override {
        uint256 due = 9_000e18 - 4_342.40625e18;
        registry.revokeIdentity(borrower);
        super._closeFirstLoan();
        assertEq(CustodyAdapter(adapter).escrowOf(borrower), due);
        vm.prank(borrower);
        vm.expectPartialRevert(IStockToken.TransferRestricted.selector);
        CustodyAdapter(adapter).claimEscrowedCollateral();
        _verify(borrower);
        vm.prank(borrower);
        assertEq(CustodyAdapter(adapter).claimEscrowedCollateral(), due);
    }

    function test_story_stockInCustody() public {
        _tell();
        assertEq(stock.totalSupply(), 12_000e18);
    }
}
