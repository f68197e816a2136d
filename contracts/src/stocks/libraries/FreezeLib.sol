// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Account, CONTROLLERS, Freeze, StockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";

/// @notice Who froze how much of an account: one entry for each agent and one for the controllers. Their sum is
/// `Account.frozen`, which never exceeds the balance.
/// @dev Finding an entry walks at most `MAX_FREEZERS` of them, 2,100 gas each.
library FreezeLib {
    uint256 internal constant MAX_FREEZERS = 16;

    /// @dev What a controller, a split or a recovery has to walk stays bounded; controllers always find a place.
    function freeze(StockStorage storage s, address account, address agent, uint256 amount) internal {
        require(amount != 0, IStockToken.AmountIsZero());
        Account storage a = s.accounts[account];
        uint256 free = a.balance - a.frozen;
        require(amount <= free, IStockToken.FreeBalanceTooLow(account, free, amount));
        (Freeze storage entry, bool isNew) = _entryOf(s, account, agent);
        require(
            !isNew || agent == CONTROLLERS || a.freezeCount <= MAX_FREEZERS,
            IStockToken.TooManyFreezers(account, MAX_FREEZERS)
        );
        // forge-lint: disable-next-line(unsafe-typecast)
        (entry.amount, a.frozen) = (entry.amount + uint96(amount), a.frozen + uint96(amount));
        emit IStockToken.TokensFrozen(account, amount);
    }

    /// @dev What was frozen goes before what splits added: the agent counts in the shares that it froze.
    function unfreeze(StockStorage storage s, address account, address agent, uint256 amount) internal {
        require(amount != 0, IStockToken.AmountIsZero());
        uint256 position = find(s, account, agent);
        require(position != 0, IStockToken.FrozenBalanceTooLow(account, 0, amount));
        Freeze storage entry = s.freezes[account][position];
        uint256 released = amount < entry.amount ? amount : entry.amount;
        uint256 broken = amount - released;
        require(broken <= entry.broken, IStockToken.FrozenBalanceTooLow(account, released, amount));
        uint256 base = entry.amount - entry.surplus;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (released > base) entry.surplus -= uint96(released - base);
        // forge-lint: disable-next-line(unsafe-typecast)
        entry.broken -= uint96(broken);
        _reduce(s, account, position, released);
    }

    /// @notice Takes up to `most` of what splits added to an agent's freeze.
    function takeSurplus(StockStorage storage s, address account, uint256 position, uint256 most)
        internal
        returns (uint256 taken)
    {
        Freeze storage entry = s.freezes[account][position];
        taken = most < entry.surplus ? most : entry.surplus;
        if (taken == 0) return 0;
        // forge-lint: disable-next-line(unsafe-typecast)
        entry.surplus -= uint96(taken);
        _reduce(s, account, position, taken);
    }

    /// @notice Takes up to `most` of an agent's freeze although the agent did not release it.
    /// @dev Its surplus must be gone.
    function breakPledge(StockStorage storage s, address account, uint256 position, uint256 most)
        internal
        returns (uint256 taken)
    {
        Freeze storage entry = s.freezes[account][position];
        taken = most < entry.amount ? most : entry.amount;
        // forge-lint: disable-next-line(unsafe-typecast)
        entry.broken += uint96(taken);
        _reduce(s, account, position, taken);
    }

    /// @notice Moves every freeze to another wallet, under the same names.
    function moveAll(StockStorage storage s, address from, address to) internal returns (uint256 frozen) {
        Account storage a = s.accounts[from];
        frozen = a.frozen;
        for (uint256 i = a.freezeCount; i > 0; --i) {
            Freeze memory moved = s.freezes[from][i];
            delete s.freezes[from][i];
            (Freeze storage entry,) = _entryOf(s, to, moved.agent);
            entry.amount += moved.amount;
            entry.surplus += moved.surplus;
            entry.broken += moved.broken;
        }
        (a.freezeCount, a.frozen) = (0, 0);
        // forge-lint: disable-next-line(unsafe-typecast)
        s.accounts[to].frozen += uint96(frozen);
    }

    /// @return position Of the entry, from 1; 0 when there is none.
    function find(StockStorage storage s, address account, address agent) internal view returns (uint256 position) {
        for (position = s.accounts[account].freezeCount; position > 0; --position) {
            if (s.freezes[account][position].agent == agent) return position;
        }
    }

    function _entryOf(StockStorage storage s, address account, address agent)
        private
        returns (Freeze storage entry, bool isNew)
    {
        uint256 position = find(s, account, agent);
        isNew = position == 0;
        if (isNew) {
            position = ++s.accounts[account].freezeCount;
            s.freezes[account][position].agent = agent;
        }
        entry = s.freezes[account][position];
    }

    function _reduce(StockStorage storage s, address account, uint256 position, uint256 amount) private {
        Account storage a = s.accounts[account];
        Freeze storage entry = s.freezes[account][position];
        // forge-lint: disable-next-line(unsafe-typecast)
        (entry.amount, a.frozen) = (entry.amount - uint96(amount), a.frozen - uint96(amount));
        if (amount != 0) emit IStockToken.TokensUnfrozen(account, amount);
        if (entry.amount != 0 || entry.broken != 0) return;
        uint256 last = a.freezeCount;
        if (position != last) s.freezes[account][position] = s.freezes[account][last];
        delete s.freezes[account][last];
        // forge-lint: disable-next-line(unsafe-typecast)
        a.freezeCount = uint8(last - 1);
    }
}
