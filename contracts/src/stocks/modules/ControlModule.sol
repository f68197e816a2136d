// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";
import {AttemptLib} from "../../libraries/AttemptLib.sol";
import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {SuccessionLib} from "../../libraries/SuccessionLib.sol";
import {Account, CONTROLLERS, Freeze, StockStorage} from "../StockStorage.sol";
import {IComplianceModule} from "../interfaces/IComplianceModule.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {FreezeLib} from "../libraries/FreezeLib.sol";
import {LedgerLib} from "../libraries/LedgerLib.sol";
import {RuleLib} from "../libraries/RuleLib.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice What controllers and agents do to shares of others.
library ControlModule {
    using FreezeLib for StockStorage;
    using LedgerLib for StockStorage;
    using RuleLib for StockStorage;
    using SuccessionLib for mapping(address => address);

    /// @dev Ours takes 60,000.
    uint256 private constant MOVE_USER_GAS = 200_000;
    /// @dev Ours takes 45,000.
    uint256 private constant SUCCESSOR_GAS = 80_000;

    function freeze(StockStorage storage s, address account, address agent, uint256 amount) external {
        s.freeze(account, agent, amount);
    }

    function unfreeze(StockStorage storage s, address account, address agent, uint256 amount) external {
        s.unfreeze(account, agent, amount);
    }

    /// @notice Controllers' freezes, free shares, what splits added to agents' freezes, agents' freezes: in this order.
    function forceTransfer(StockStorage storage s, address from, address to, uint256 amount, bytes32 reason) external {
        _requireMove(s, from, to, amount);
        uint256 free = s.freeOf(from);
        uint256 position = s.find(from, CONTROLLERS);
        uint256 mine = position == 0 ? 0 : s.freezes[from][position].amount;
        if (mine > amount) mine = amount;
        if (mine != 0) s.unfreeze(from, CONTROLLERS, mine);
        if (amount > mine + free) _breakPledges(s, from, amount - mine - free);
        s.move(from, to, amount);
        emit IStockToken.ForceTransfer(from, to, amount, reason, msg.sender);
    }

    function forcedTransfer(StockStorage storage s, address agent, address from, address to, uint256 amount) external {
        _requireMove(s, from, to, amount);
        uint256 free = s.freeOf(from);
        if (amount > free) {
            uint256 position = s.find(from, agent);
            uint256 mine = position == 0 ? 0 : s.freezes[from][position].amount;
            require(amount <= free + mine, IStockToken.FreeBalanceTooLow(from, free + mine, amount));
            s.unfreeze(from, agent, amount - free);
        }
        s.move(from, to, amount);
    }

    function releaseSurplus(StockStorage storage s, address agent, address account, uint256 amount) external {
        require(amount != 0, IStockToken.AmountIsZero());
        uint256 position = s.find(account, agent);
        Freeze memory entry = s.freezes[account][position];
        require(entry.amount == entry.surplus, IStockToken.PledgeStands(agent, account, entry.amount - entry.surplus));
        require(amount <= entry.surplus, IStockToken.FrozenBalanceTooLow(account, entry.surplus, amount));
        s.takeSurplus(account, position, amount);
        emit IStockToken.SurplusReleased(agent, account, amount);
    }

    function recover(StockStorage storage s, address lostWallet, address newWallet, address identity) external {
        _requireSamePerson(s, lostWallet, newWallet, identity);
        uint256 balance = s.accounts[lostWallet].balance;
        require(balance != 0, IStockToken.NothingToRecover(lostWallet));
        uint256 frozen = s.moveAll(lostWallet, newWallet);
        s.move(lostWallet, newWallet, balance);
        if (frozen != 0) {
            emit IStockToken.TokensUnfrozen(lostWallet, frozen);
            emit IStockToken.TokensFrozen(newWallet, frozen);
        }
        Account storage recovered = s.accounts[newWallet];
        if (s.accounts[lostWallet].isFrozen && !recovered.isFrozen) {
            recovered.isFrozen = true;
            emit IStockToken.AddressFrozen(newWallet, true, msg.sender);
        }
        s.successors.note(lostWallet, newWallet);
        emit IStockToken.RecoverySuccess(lostWallet, newWallet, identity);
        _tellModule(s, lostWallet, newWallet);
    }

    /* INTERNAL */

    function _requireMove(StockStorage storage s, address from, address to, uint256 amount) private view {
        require(amount != 0, IStockToken.AmountIsZero());
        require(from != to, IStockToken.SameAccount(from));
        s.requireEligible(to);
        uint256 balance = s.accounts[from].balance;
        require(amount <= balance, IERC20Errors.ERC20InsufficientBalance(from, balance, amount));
    }

    /// @dev Whose the shares were when they came, not who the registry says has the wallet now: that may be somebody else,
    /// and a registry that moved an identity does not know the lost wallet any more. A contract that holds for others is
    /// nobody's wallet.
    function _requireSamePerson(StockStorage storage s, address lostWallet, address newWallet, address identity)
        private
        view
    {
        IIdentitySource registry = IIdentitySource(s.identityRegistry);
        address known = s.isIdentityNoted(lostWallet) ? s.identityAtEntry[lostWallet] : registry.identity(lostWallet);
        if (known == address(0)) known = s.identityAtEntry[lostWallet];
        require(
            lostWallet != newWallet && !s.accounts[lostWallet].isAuthorized && identity != address(0)
                && known == identity && registry.identity(newWallet) == identity,
            IStockToken.NotSameIdentity(lostWallet, newWallet)
        );
    }

    /// @dev From the last entry on: one that is emptied gives its place to the last.
    function _breakPledges(StockStorage storage s, address account, uint256 amount) private {
        for (uint256 i = s.accounts[account].freezeCount; i > 0 && amount != 0; --i) {
            address agent = s.freezes[account][i].agent;
            uint256 taken = s.takeSurplus(account, i, amount);
            amount -= taken;
            if (taken != 0) emit IStockToken.PledgeBroken(agent, account, taken);
        }
        for (uint256 i = s.accounts[account].freezeCount; i > 0 && amount != 0; --i) {
            address agent = s.freezes[account][i].agent;
            uint256 taken = s.breakPledge(account, i, amount);
            amount -= taken;
            if (taken != 0) emit IStockToken.PledgeBroken(agent, account, taken);
        }
    }

    /// @dev A module that knows no recovery does not stop one.
    function _tellModule(StockStorage storage s, address lostWallet, address newWallet) private {
        address module = s.complianceModule;
        if (module == address(0)) return;
        (, bool isStarved) = AttemptLib.attempt(
            module, abi.encodeCall(IComplianceModule.moveUser, (lostWallet, newWallet)), MOVE_USER_GAS
        );
        require(!isStarved, IStockToken.ModuleNeedsMoreGas());
    }

    /* VIEWS */

    /// @dev The registry knows also of those who had no shares to recover; the token of recoveries under any registry.
    function successorOf(StockStorage storage s, address wallet) external view returns (address found) {
        found = s.successors.latest(wallet);
        require(BoundedCall.canAfford(SUCCESSOR_GAS, 0), IStockToken.ModuleNeedsMoreGas());
        (bool success, uint256 size,, bytes memory answer) = BoundedCall.boundedStaticCall(
            s.identityRegistry,
            SUCCESSOR_GAS,
            32,
            abi.encodeCall(IIdentitySource.successorOf, (found == address(0) ? wallet : found))
        );
        uint256 told = success && size == 32 ? abi.decode(answer, (uint256)) : 0;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (told != 0 && told <= type(uint160).max) found = address(uint160(told));
        // The person has come back to it.
        if (found == wallet) found = address(0);
    }
}
