-- The auction venue that a market named last, derived from its events: every route looks a market up, and few facts change it.
alter table lending_markets add column venue text check (venue ~ '^0x[0-9a-f]{40}$');

-- To its owner every table is empty.
set local role tally_chain;
update lending_markets m set venue = (
  select nullif(f.effect ->> 'newModule', '0x' || repeat('0', 40)) from chain_live_facts f
  where f.chain_id = m.chain_id and f.subject = m.market_address and f.operation = 'market.AuctionModuleUpdated'
  order by f.block_number desc, f.block_log_index desc limit 1);
reset role;
